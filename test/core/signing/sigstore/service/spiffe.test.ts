import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { createServer as createSocketServer } from "node:net";
import { join } from "node:path";
import { spiffeToken } from "../../../../../src/core/signing/sigstore/service/spiffe";
import { closeAfterTest } from "../../../http/close-after-test";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { failureOf, textsOf, openSearch } from "./client-bench";

/** A field of a protobuf message that contains bytes. */
const field = (number: number, value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value);
  const length = bytes.byteLength;
  const size = length < 128 ? [length] : [(length & 127) | 128, length >> 7];
  return Buffer.concat([Buffer.of((number << 3) | 2, ...size), bytes]);
};

const frame = (message: Uint8Array): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([prefix, message]);
};

const svid = (token: string) =>
  field(1, Buffer.concat([field(1, "spiffe://example.org/ci"), field(2, token)]));

type Answer = (stream: ServerHttp2Stream, request: Buffer, headers: IncomingHttpHeaders) => void;

/** Ends a call as gRPC servers do. */
function end(stream: ServerHttp2Stream, body: Buffer, trailers: Record<string, string> = {}) {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", ...trailers }));
  stream.end(body);
}

/** An agent with the workload API on a unix socket. */
async function open(answer: Answer) {
  const path = join(await temporaryFolder(), "agent.sock");
  const server = createServer();
  const calls: { headers: IncomingHttpHeaders; request: Buffer }[] = [];
  server.on("stream", (stream, headers) => {
    const pieces: Buffer[] = [];
    stream.on("error", () => undefined);
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("end", () => {
      const request = Buffer.concat(pieces);
      calls.push({ headers, request });
      answer(stream, request, headers);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  closeAfterTest(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { calls, path, ...openSearch({ SPIFFE_ENDPOINT_SOCKET: `unix://${path}` }) };
}

describe("a SPIFFE workload", () => {
  test("asks the workload API for a token for signing, and takes the first", async () => {
    const { token } = openSearch({});
    const { search, calls, path } = await open((stream) =>
      end(stream, frame(Buffer.concat([svid(token), svid("another")]))),
    );
    for (const socket of [`unix://${path}`, `unix:${path}`, path]) {
      const env = { SPIFFE_ENDPOINT_SOCKET: socket };
      expect(await spiffeToken({ ...search, env })).toMatchObject({ subject: "me", text: token });
    }
    expect(calls).toHaveLength(3);
    expect(calls[0]?.headers).toMatchObject({
      ":method": "POST",
      ":path": "/SpiffeWorkloadAPI/FetchJWTSVID",
      "content-type": "application/grpc",
      "workload.spiffe.io": "true",
      te: "trailers",
    });
    expect(calls[0]?.request).toEqual(frame(field(1, "sigstore")));
  });

  test("reports why it gets no token", async () => {
    const { search } = await open((stream) => {
      const status = { "grpc-status": "7", "grpc-message": "no identity issued" };
      end(stream, Buffer.alloc(0), status);
    });
    expect(await failureOf(spiffeToken(search))).toMatchObject({
      code: "IDENTITY",
      message: `The SPIFFE workload API returned no token: PERMISSION_DENIED: "no identity issued"`,
    });
  });

  test.each<[string, Answer]>([
    ["no token", (stream) => end(stream, frame(Buffer.alloc(0)))],
    ["a token that is none", (stream) => end(stream, frame(svid("secret")))],
    ["what is no message", (stream) => end(stream, frame(Buffer.from("\xff\xff\xffsecret")))],
    ["more than a token can have", (stream) => end(stream, frame(Buffer.alloc(70_000)))],
    ["two messages", (stream) => end(stream, Buffer.concat([frame(svid("a")), frame(svid("b"))]))],
  ])("does not take %s for a token", async (_, answer) => {
    const { search } = await open(answer);
    const failure = await failureOf(spiffeToken(search));
    expect(failure.code).toBe("IDENTITY");
    expect(textsOf(failure)).not.toContain("secret");
  });

  test("reports an agent that does not run, and an address that is not a socket", async () => {
    const { search } = await open(() => undefined);
    const said = async (socket: string) => {
      const env = { SPIFFE_ENDPOINT_SOCKET: socket };
      return (await failureOf(spiffeToken({ ...search, env }))).message;
    };
    expect(await said(`unix://${join(await temporaryFolder(), "agent.sock")}`)).toContain("ENOENT");
    for (const socket of ["tcp://127.0.0.1:8081", "relative/agent.sock"]) {
      expect(await said(socket)).toMatch(/^SPIFFE_ENDPOINT_SOCKET must be a unix socket/);
    }
  });

  test.each(["speaks no HTTP/2", "never answers"])(
    "does not wait for an agent that %s",
    async (kind) => {
      const silent = await open(() => undefined);
      const path = join(await temporaryFolder(), "mute.sock");
      const mute = createSocketServer((socket) => socket.resume());
      await new Promise<void>((resolve) => mute.listen(path, resolve));
      closeAfterTest(() => new Promise<void>((resolve) => mute.close(() => resolve())));
      const { search } = kind === "never answers" ? silent : openSearch({});
      const env = kind === "never answers" ? search.env : { SPIFFE_ENDPOINT_SOCKET: path };
      const context = { ...search.context, deadline: search.now() + 200 };
      expect(await failureOf(spiffeToken({ ...search, env, context }))).toMatchObject({
        code: "TIMEOUT",
        message: "The SPIFFE workload API did not respond in time.",
      });
      const signal = AbortSignal.abort();
      const aborted = spiffeToken({ ...search, env, context: { ...context, signal } });
      expect(await failureOf(aborted)).toMatchObject({ code: "CANCELLED" });
    },
  );
});
