import { randomUUID } from "node:crypto";
import { type Operation, runningOperation } from "../../../../src/core/ids/client/operation";
import { startScriptedApi, type ScriptedAnswer } from "./scripted-api";
import { connect, failureOf, name, network, parent, startService } from "./service";
import { VirtualClock } from "../../http/virtual-clock";

/** As Google's services form them. */
const operationName = `${parent}/operations/operation-1653000000000-5df0a-0b1c-2d3e`;
const running = runningOperation(operationName);
const done = { body: { name: operationName, done: true, response: { name } } };
const stillRunning = { body: { name: operationName } };
const unknown = {
  status: 404,
  body: { error: { code: 404, status: "NOT_FOUND", message: "no such operation" } },
};

async function wait(
  answers: (number: number) => ScriptedAnswer,
  { operation = running, minutes = 60, pollIntervalMs }: WaitOptions = {},
) {
  const server = await startScriptedApi(answers);
  const clock = new VirtualClock();
  const { client, logged } = connect(server.url, { clock, pollIntervalMs });
  const controller = new AbortController();
  const options = { signal: controller.signal, deadline: clock.now() + minutes * 60_000 };
  return {
    server,
    clock,
    controller,
    logged,
    started: () => client.waitForOperation(operation, options),
  };
}

interface WaitOptions {
  operation?: Operation;
  minutes?: number;
  pollIntervalMs?: number;
}

describe("waiting for an operation", () => {
  test("polls after 5 s, then twice as long each time, up to 45 s", async () => {
    const { clock, started } = await wait((number) => (number < 6 ? stillRunning : done));
    await started();
    expect(clock.sleeps).toEqual([5_000, 10_000, 20_000, 40_000, 45_000, 45_000]);
  });

  test("keeps exactly to the user's interval", async () => {
    const { clock, started } = await wait((number) => (number < 4 ? stillRunning : done), {
      pollIntervalMs: 700,
    });
    await started();
    expect(clock.sleeps).toEqual([700, 700, 700, 700]);
  });

  test.each([
    ["done in the first answer", { ...running, done: true, hasResponse: true }],
    ["answered without an operation", { ...running, name: "", done: true }],
  ])("sends nothing when the request was %s", async (_, operation) => {
    const { server, started } = await wait(() => done, { operation });
    await started();
    expect(server.requests).toEqual([]);
  });

  test("waits for an operation that is unknown right after its start", async () => {
    const { clock, server, started } = await wait((number) => (number < 3 ? unknown : done));
    await started();
    expect(server.requests).toHaveLength(3);
    expect(clock.sleeps).toEqual([5_000, 10_000, 20_000]);
  });

  test.each([
    ["for a minute", () => unknown],
    ["after it was seen", (number: number) => (number === 1 ? stillRunning : unknown)],
  ])("fails when the operation is unknown %s, but not with NOT_FOUND", async (_, answers) => {
    const { started } = await wait(answers);
    const failure = await failureOf(started());
    expect(failure).toMatchObject({ code: "UNKNOWN", operation: operationName });
  });

  test("throws the error of an operation that failed, from its bare status", async () => {
    const error = {
      code: 9,
      message: "private services access is missing",
      details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "NO_PSA" }],
    };
    const { started } = await wait(() => ({ body: { name: operationName, done: true, error } }));
    expect(await failureOf(started())).toMatchObject({
      code: "FAILED_PRECONDITION",
      httpStatus: 200,
      reason: "NO_PSA",
      operation: operationName,
      message: "private services access is missing",
    });
  });

  test("treats a failure with an unknown number as a failure", async () => {
    const error = { code: 99, message: "new" };
    const { started } = await wait(() => ({ body: { name: operationName, done: true, error } }));
    expect(await failureOf(started())).toMatchObject({ code: "UNKNOWN", message: "new" });
  });

  test("warns of an operation that ends with neither a response nor an error", async () => {
    const { started, logged } = await wait(() => ({ body: { name: operationName, done: true } }));
    await started();
    expect(logged.join()).toContain("neither a response nor an error");
  });

  test("never goes past the deadline, and polls once more shortly before it", async () => {
    const { clock, server, started } = await wait(() => stillRunning, { minutes: 1 });
    const failure = await failureOf(started());
    expect(failure).toMatchObject({ code: "DEADLINE", operation: operationName });
    expect(clock.sleeps).toEqual([5_000, 10_000, 20_000, 23_000]);
    expect(server.requests).toHaveLength(4);
  });

  test("stops immediately when interrupted, and names the operation", async () => {
    const { clock, controller, server, started } = await wait(() => stillRunning);
    clock.onSleep = () => {
      if (clock.sleeps.length === 2) controller.abort();
    };
    const failure = await failureOf(started());
    expect(failure).toMatchObject({ code: "CANCELLED_BY_USER", operation: operationName });
    expect(failure.message).toContain(operationName);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    "https://evil.example/projects/p/locations/l/operations/o",
    "//evil.example/operations/o",
    "projects/p/locations/l/operations/../../../../token",
    "projects/p/locations/l/operations/..",
    `${operationName}/..`,
    "projects/p/locations/l/operations/o?x=1",
    "projects/p/locations/l/endpoints/e",
    "operations/o",
    `projects/p/locations/l/operations/${"o".repeat(2_000)}`,
  ])("never requests the hostile name %.60s", async (hostile) => {
    const operation = { ...running, name: hostile };
    const { server, started } = await wait(() => done, { operation });
    expect(await failureOf(started())).toMatchObject({ code: "MALFORMED_ANSWER" });
    expect(server.requests).toEqual([]);
  });

  test("reports the failure of an operation of the local back end", async () => {
    const { client, options } = await startService({
      local: { operationFailure: () => ({ code: 13, message: "it broke" }) },
    });
    const operation = await client.createEndpoint(
      {
        parent,
        endpointId: "edge",
        endpoint: { network, severity: "LOW" },
        requestId: randomUUID(),
      },
      options,
    );
    const failure = await failureOf(client.waitForOperation(operation, options));
    expect(failure).toMatchObject({ code: "INTERNAL", message: "it broke" });
  });
});
