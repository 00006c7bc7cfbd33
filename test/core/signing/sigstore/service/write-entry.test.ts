import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { proposeHashedRekord } from "../../../../../src/core/signing/sigstore/format/log-entry";
import { writeEntry } from "../../../../../src/core/signing/sigstore/service/log-and-timestamp";
import { withFaults, type Faults } from "../../../../local/service/with-faults";
import { closeAfterTest } from "../../../http/close-after-test";
import { startScriptedServer, type Script } from "../../../http/scripted-server";
import { openServices } from "../../../../local/signing/local-services";
import { failureOf, openClient, textsOf } from "./client-bench";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();

function proposal(text = "content"): object {
  const payload = Buffer.from(text);
  return proposeHashedRekord(payload, sign("sha256", payload, privateKey), pem);
}

function write(url: string, entry: object, client = openClient()) {
  const { http, context } = client;
  return writeEntry({ http, context, url, entry });
}

/** The local log, and a server before it where requests go wrong. */
async function faulty(faults: Faults) {
  const services = await openServices();
  const requests: string[] = [];
  const server = await withFaults(services.addresses.transparencyLog, (request) => {
    requests.push(`${request.method} ${request.path.replace(/[\da-f]{64,80}$/, "<uuid>")}`);
    return faults(request);
  });
  closeAfterTest(() => server.close());
  return { requests, url: server.url, log: services.addresses.transparencyLog };
}

async function scripted(script: Script) {
  const server = await startScriptedServer(script);
  return { server, call: () => write(server.origin, proposal()) };
}

const hash = "ab".repeat(32);

/** An answer as a log gives it, consistent in itself; what a test gives replaces its fields. */
function answer({
  uuid,
  entry = {},
  proof = {},
}: { uuid?: string; entry?: object; proof?: object } = {}) {
  const body = Buffer.from('{"kind":"hashedrekord"}');
  const leaf = createHash("sha256").update(Buffer.of(0)).update(body).digest("hex");
  const inclusionProof = {
    logIndex: 1,
    treeSize: 2,
    rootHash: hash,
    hashes: [hash],
    checkpoint: "note",
    ...proof,
  };
  const verification = { signedEntryTimestamp: "c2V0", inclusionProof };
  const common = { body: body.toString("base64"), integratedTime: 1, logIndex: 1, logID: hash };
  return JSON.stringify({ [uuid ?? leaf]: { ...common, verification, ...entry } });
}

describe("an entry", () => {
  test("is written into a log", async () => {
    const services = await openServices();
    const entry = await write(`${services.addresses.transparencyLog}/`, proposal());
    expect(JSON.parse(entry.body.toString())).toMatchObject({ kind: "hashedrekord" });
    expect(entry).toMatchObject({ logIndex: 0, inclusionProof: { treeSize: 1, hashes: [] } });
    expect(entry.logId).toHaveLength(32);
  });

  test("is found if the log has it already", async () => {
    const { url, requests } = await faulty(() => undefined);
    const entry = proposal();
    const first = await write(url, entry);
    expect(await write(url, entry)).toMatchObject({ uuid: first.uuid, logIndex: first.logIndex });
    expect(requests).toEqual([
      "POST /api/v1/log/entries",
      "POST /api/v1/log/entries",
      "GET /api/v1/log/entries/<uuid>",
    ]);
  });

  test("is found after its first response was lost", async () => {
    const { url, requests } = await faulty(({ index }) =>
      index === 0 ? { kind: "truncate", bytes: 20 } : undefined,
    );
    expect((await write(url, proposal())).logIndex).toBe(0);
    expect(requests.at(-1)).toBe("GET /api/v1/log/entries/<uuid>");
  });

  test("is written after the log asked to wait", async () => {
    const client = openClient();
    const { url } = await faulty(({ index }) =>
      index < 2 ? { kind: "answer", status: 429, headers: { "retry-after": "7" } } : undefined,
    );
    expect((await write(url, proposal(), client)).logIndex).toBe(0);
    expect(client.clock.sleeps).toEqual([7_000, 7_000]);
  });

  test("is not written by a log that always fails, after five attempts", async () => {
    const client = openClient();
    const { url, requests } = await faulty(() => ({ kind: "answer", status: 503, body: "busy" }));
    expect(await failureOf(write(url, proposal(), client))).toMatchObject({
      code: "TRANSPARENCY_LOG",
      message: 'The transparency log responded with HTTP status 503: "busy"',
    });
    expect(requests).toHaveLength(5);
    expect(client.clock.sleeps).toEqual([500, 1_000, 2_000, 4_000]);
  });

  test("is refused with the log's message, on one line", async () => {
    const { call } = await scripted(() => ({
      status: 400,
      body: JSON.stringify({ code: 400, message: "not\n\u001b[31msigned" }),
    }));
    expect((await failureOf(call())).message).toBe(
      'The transparency log responded with HTTP status 400: "not \\u001b[31msigned"',
    );
  });

  test("that the log already has is requested only from the log's own URL", async () => {
    const stranger = await startScriptedServer(() => ({ body: answer() }));
    const { server, call } = await scripted(({ method }) =>
      method === "POST"
        ? { status: 409, headers: { location: `${stranger.origin}/api/v1/log/entries/${hash}` } }
        : { status: 404, body: "none" },
    );
    expect(await failureOf(call())).toMatchObject({ code: "TRANSPARENCY_LOG" });
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/api/v1/log/entries",
      `/api/v1/log/entries/${hash}`,
    ]);
    expect(stranger.requests).toEqual([]);
  });

  test("that the log already has must be the one it names", async () => {
    const { call } = await scripted(({ method }) =>
      method === "POST"
        ? { status: 409, headers: { location: `/api/v1/log/entries/${hash}` } }
        : { body: answer() },
    );
    expect(await failureOf(call())).toMatchObject({
      code: "TRANSPARENCY_LOG",
      message: expect.stringMatching(/UUID does not match its content/) as unknown,
    });
  });

  test("that the log claims to have, without a name, is refused", async () => {
    const { call, server } = await scripted(() => ({ status: 409, body: "have it" }));
    expect(await failureOf(call())).toMatchObject({
      message: expect.stringMatching(/status 409: "have it"/) as unknown,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("may be named with its tree ID", async () => {
    const uuid = (text: string) => Object.keys(JSON.parse(text) as object)[0] ?? "";
    const long = `${"1".repeat(16)}${uuid(answer())}`;
    const { call } = await scripted(() => ({ status: 201, body: answer({ uuid: long }) }));
    expect((await call()).uuid).toBe(long);
  });

  test.each([
    ["no JSON", "<html>"],
    ["no entry", "{}"],
    ["two entries", `{"a":{},"b":{}}`],
    ["another name", answer({ uuid: hash })],
    ["no name", answer({ uuid: "" })],
    ["a body that is not base64", answer({ entry: { body: "?" } })],
    ["no body", answer({ entry: { body: undefined } })],
    ["a log of no hash", answer({ entry: { logID: "zz" } })],
    ["a time in words", answer({ entry: { integratedTime: "now" } })],
    ["no verification", answer({ entry: { verification: undefined } })],
    ["a root of no hash", answer({ proof: { rootHash: `${hash}ab` } })],
    ["invalid hashes", answer({ proof: { hashes: ["ab"] } })],
    ["hashes that are numbers", answer({ proof: { hashes: [1] } })],
    ["no checkpoint", answer({ proof: { checkpoint: undefined } })],
  ])("is not found in a response with %s", async (_, body) => {
    const { call } = await scripted(() => ({ status: 201, body }));
    expect(await failureOf(call())).toMatchObject({ code: "TRANSPARENCY_LOG" });
  });

  test("is not awaited beyond the deadline if the log never responds", async () => {
    const client = openClient();
    const { server } = await scripted(() => {
      client.clock.advance(10_000);
      return undefined;
    });
    const context = { ...client.context, deadline: client.clock.now() + 5_000 };
    const failure = await failureOf(write(server.origin, proposal(), { ...client, context }));
    expect(failure).toMatchObject({ code: "DEADLINE" });
    expect(textsOf(failure)).not.toContain("BEGIN");
  });

  test("is requested again if an attempt times out, within the deadline", async () => {
    const client = openClient();
    const { server } = await scripted((_, number) => {
      if (number > 1) return { status: 201, body: answer() };
      client.clock.advance(30_000);
      return undefined;
    });
    expect((await write(server.origin, proposal(), client)).logIndex).toBe(1);
    expect(server.requests).toHaveLength(2);
  });
});
