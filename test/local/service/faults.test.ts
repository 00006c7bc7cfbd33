import { Readable } from "node:stream";
import { answering, type Fault, type FaultsOf } from "./answering-faults";
import { readBody } from "../../../src/local/service/request";
import type { Service } from "../../../src/local/service/service";
import { withFaults } from "./with-faults";
import { closeAfterTest } from "../../core/http/close-after-test";
import { openService, send } from "./local-service";

interface Work {
  readonly method: string;
  readonly body: string;
}

/** A service that records the bodies of its requests, and repeats them in its responses. */
async function openWorkshop(faults?: FaultsOf<Work>, isStreamed = false) {
  const done: string[] = [];
  const waiting = new Map<string, () => void>();
  const service = await openService(
    answering<Work>({
      async read(request) {
        const body = (await readBody(request, 1_000)).toString();
        return { method: request.method ?? "", body };
      },
      answer({ body }) {
        done.push(body);
        waiting.get(body)?.();
        const bytes = Buffer.from(`did ${body}`);
        const headers = { "content-type": "text/plain", "x-missing": undefined };
        return { status: 200, headers, body: isStreamed ? Readable.from([bytes]) : bytes };
      },
      faults,
    }),
  );
  /** Resolves when a request with this body has been handled. */
  const did = (body: string) =>
    new Promise<void>((resolve) => {
      if (done.includes(body)) resolve();
      else waiting.set(body, resolve);
    });
  return { ...service, done, did };
}

type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

/** The same fault in a service itself, and in a proxy for a service without faults. */
const places: readonly (readonly [
  string,
  (fault: (index: number) => Fault | undefined) => Promise<Workshop>,
])[] = [
  [
    "in a service",
    (fault) => {
      let index = 0;
      return openWorkshop(() => fault(index++));
    },
  ],
  [
    "in a service whose answers come bit by bit",
    (fault) => {
      let index = 0;
      return openWorkshop(() => fault(index++), true);
    },
  ],
  [
    "in front of a service",
    async (fault) => {
      const workshop = await openWorkshop();
      const service = await withFaults(workshop.url, ({ index }) => fault(index));
      closeAfterTest(() => service.close());
      return { ...workshop, ...service };
    },
  ],
];

const post = (service: Service, body = "it") => send(service, { method: "POST", body });
const first = (fault: Fault) => (index: number) => (index === 0 ? fault : undefined);

describe.each(places)("%s", (_place, open) => {
  test("requests without a fault pass", async () => {
    const service = await open(() => undefined);
    const answer = await post(service);
    expect(answer).toMatchObject({ status: 200, body: "did it" });
    expect(answer.headers).toMatchObject({ "content-type": "text/plain" });
    expect(service.done).toEqual(["it"]);
  });

  test.each([true, false])("a response replaces the real one: %p", async (afterEffect) => {
    const service = await open(
      first({ kind: "answer", status: 429, headers: { "retry-after": "1" }, afterEffect }),
    );
    const answer = await post(service);
    expect(answer).toMatchObject({ status: 429, headers: { "retry-after": "1" }, body: "" });
    expect(service.done).toEqual(afterEffect ? ["it"] : []);
    expect((await post(service)).body).toBe("did it");
  });

  test.each([true, false])("a connection is closed: %p", async (afterEffect) => {
    const service = await open(first({ kind: "reset", afterEffect }));
    await expect(post(service)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(service.done).toEqual(afterEffect ? ["it"] : []);
    expect((await post(service)).body).toBe("did it");
  });

  test.each([true, false])(
    "a request waits until the server is closed: %p",
    async (afterEffect) => {
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const service = await open((index) => {
        if (index > 0) return undefined;
        arrive();
        return { kind: "never answer", afterEffect };
      });
      const outcome = post(service).then(
        () => "answered",
        () => "closed",
      );
      await arrived;
      if (afterEffect) await service.did("it");
      // Another request gets its response in the meantime.
      expect((await post(service, "more")).status).toBe(200);
      await service.close();
      expect(await outcome).toBe("closed");
      expect(service.done).toEqual(afterEffect ? ["it", "more"] : ["more"]);
    },
  );

  test("responses are late, cut, slow and changed", async () => {
    const faults: readonly Fault[] = [
      { kind: "delay", milliseconds: 1 },
      { kind: "truncate", bytes: 3 },
      { kind: "trickle", bytes: 2, everyMs: 1 },
      {
        kind: "tamper",
        change: (answer) => ({
          ...answer,
          status: 201,
          body: Buffer.from(`${answer.body.toString()}, or not`),
        }),
      },
    ];
    const service = await open((index) => faults[index]);
    expect(await post(service)).toMatchObject({ status: 200, body: "did it" });
    await expect(post(service)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await post(service)).toMatchObject({ status: 200, body: "did it" });
    expect(await post(service)).toMatchObject({ status: 201, body: "did it, or not" });
  });
});

test("a proxy passes on the parts of a request that select a fault", async () => {
  const seen: unknown[] = [];
  const { url } = await openWorkshop();
  const service = await withFaults(url, ({ method, path, headers, index }) => {
    seen.push([method, path, headers["x-mine"], index]);
    return undefined;
  });
  closeAfterTest(() => service.close());
  await send(service, { path: "/a?b=c", headers: { "x-mine": "1" } });
  await post(service);
  expect(seen).toEqual([
    ["GET", "/a?b=c", "1", 0],
    ["POST", "/", undefined, 1],
  ]);
});

test("a server in front of another one passes on its own URL", async () => {
  const hosts: unknown[] = [];
  const { url } = await openService((request, response) => {
    hosts.push(request.headers.host);
    response.end();
  });
  const service = await withFaults(url, () => undefined);
  closeAfterTest(() => service.close());
  await send(service);
  expect(hosts).toEqual([service.host]);
});

test("a proxy of a stopped server responds with an error", async () => {
  const gone = await openWorkshop();
  const service = await withFaults(gone.url, () => undefined);
  closeAfterTest(() => service.close());
  await gone.close();
  expect(await post(service)).toMatchObject({ status: 500 });
});
