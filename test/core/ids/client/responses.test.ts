import { startScriptedApi, type ScriptedAnswer } from "./scripted-api";
import { connect, failureOf, name } from "./service";
import { VirtualClock } from "../../http/virtual-clock";

async function ask(...answers: ScriptedAnswer[]) {
  const server = await startScriptedApi(
    (number) => answers[number - 1] ?? answers.at(-1) ?? { body: {} },
  );
  const clock = new VirtualClock();
  const { client } = connect(server.url, { clock });
  const options = { signal: new AbortController().signal, deadline: clock.now() + 600_000 };
  return { server, answer: client.getEndpoint(name, options) };
}

describe("a response that is not the API's", () => {
  test("is quoted, shortened, without control characters", async () => {
    const body = `<html>\u0007\n<h1>Bad\u202e Gateway</h1>${"x".repeat(2_000)}`;
    const { answer } = await ask({ status: 404, headers: { "content-type": "text/html" }, body });
    const failure = await failureOf(answer);
    expect(failure).toMatchObject({ code: "MALFORMED_ANSWER", httpStatus: 404 });
    expect(failure.message).toContain("HTTP 404 (text/html)");
    expect(failure.message).toContain("\\u0007 Bad\\u202e Gateway");
    expect(failure.message).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(failure.message.length).toBeLessThan(750);
  });

  test("is never treated as a missing endpoint", async () => {
    const error = { code: 404, status: "NOT_FOUND", message: "Method not found." };
    const { answer } = await ask({ status: 404, body: { error } });
    expect(await failureOf(answer)).toMatchObject({ code: "UNIMPLEMENTED" });
  });

  test("is requested again when the proxy reports that the service is unavailable", async () => {
    const { answer, server } = await ask({ status: 502, body: "<html>" }, { body: { name } });
    expect(await answer).toMatchObject({ name, state: "", trafficLogs: false });
    expect(server.requests).toHaveLength(2);
  });

  test("is refused when it is larger than 10 MB, once", async () => {
    const { answer, server } = await ask({ body: " ".repeat(10_000_001) });
    const failure = await failureOf(answer);
    expect(failure).toMatchObject({ code: "TRANSPORT", reason: "ANSWER_TOO_LARGE" });
    expect(server.requests).toHaveLength(1);
  });

  test("is not followed to another host", async () => {
    const location = "https://elsewhere.example/v1/";
    const { answer, server } = await ask({ status: 307, headers: { location }, body: "" });
    const failure = await failureOf(answer);
    expect(failure).toMatchObject({ code: "MALFORMED_ANSWER", httpStatus: 307 });
    expect(failure.message).toContain("redirects are not followed");
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    { labels: { a: 1 } },
    { threatExceptions: "1" },
    { trafficLogs: "yes" },
    { state: 3 },
  ])("is refused for a field of another type: %j", async (fields) => {
    const { answer } = await ask({ body: { name, ...fields } });
    expect(await failureOf(answer)).toMatchObject({ code: "MALFORMED_ANSWER" });
  });

  test("may contain an unknown state, severity and fields", async () => {
    const { answer } = await ask({ body: { name, state: "SLEEPING", severity: "X", other: null } });
    expect(await answer).toMatchObject({ state: "SLEEPING", severity: "X" });
  });
});
