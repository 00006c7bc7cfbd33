import { once } from "node:events";
import { text } from "node:stream/consumers";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import { type AddressInfo, type Server, connect, createServer } from "node:net";

import {
  type GrpcClient,
  createGrpcClient,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-client";
import {
  grpcError,
  type GrpcError,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-headers";
import {
  FrameReader,
  encodeFrame,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-frame";
import {
  type Route,
  serverStream,
  unary,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-route";
import {
  type GrpcServer,
  createGrpcServer,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-server";
import { providerMethods } from "../../../../../src/core/provider-kit/wire/tfplugin6/tfplugin6";

const bytes = (text: string): Uint8Array => Buffer.from(text);

const aborted: string[] = [];
let onAborted: () => void = () => undefined;
let onStarted: () => void = () => undefined;
const handlerErrors: unknown[] = [];

const untilAborted = ({ signal }: { signal: AbortSignal }): Promise<void> =>
  new Promise((resolve) => {
    onStarted();
    signal.addEventListener("abort", () => {
      aborted.push((signal.reason as GrpcError).code);
      resolve();
      onAborted();
    });
  });

const large = Buffer.alloc(12 * 1024 * 1024, "y");

const routes = new Map<string, Route>([
  ["/t/large", { kind: "unary", handle: () => large }],
  ["/t/echo", { kind: "unary", handle: (request) => request }],
  ["/t/length", { kind: "unary", handle: (request) => bytes(String(request.byteLength)) }],
  [
    "/t/secret",
    {
      kind: "unary",
      handle: () => {
        throw new Error("the password is hunter2");
      },
    },
  ],
  [
    "/t/missing",
    { kind: "unary", handle: () => Promise.reject(grpcError("NOT_FOUND", "no größe")) },
  ],
  ["/t/wait", { kind: "unary", handle: (request, call) => untilAborted(call).then(() => request) }],
  [
    "/t/double",
    {
      kind: "stream",
      handle: async ({ messages, send }) => {
        for await (const message of messages) {
          await send(message);
          await send(message);
        }
      },
    },
  ],
  serverStream(providerMethods.listResource, async function* ({ typeName, limit }) {
    for (let at = 0; at < limit; at += 1) yield await Promise.resolve({ displayName: typeName });
    throw grpcError("NOT_FOUND", "no more");
  }),
  unary(providerMethods.stopProvider, () => ({ error: "stopped" })),
]);

let listener: Server;
let server: GrpcServer;
let client: GrpcClient;
let session: ClientHttp2Session | undefined;
let connections: number[];

beforeEach(async () => {
  aborted.length = 0;
  handlerErrors.length = 0;
  const opened: number[] = [];
  connections = opened;
  onStarted = () => undefined;
  server = createGrpcServer({
    routes,
    lateRoutes: () => new Map([["/t/late", { kind: "unary", handle: () => bytes("late") }]]),
    onHandlerError: (_path, error) => handlerErrors.push(error),
    onConnections: (open) => opened.push(open),
  });
  listener = createServer((socket) => {
    server.accept(socket);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  client = createGrpcClient(connect((listener.address() as AddressInfo).port, "127.0.0.1"));
});

afterEach(() => {
  session?.destroy();
  session = undefined;
  client.close();
  server.close();
  listener.close();
});

/** Opens a call to which a test writes frames of its own. */
function open(path: string, headers?: OutgoingHttpHeaders): ClientHttp2Stream {
  session ??= connectHttp2(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
  return session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
}

/** Reads a call to its end. */
async function finish(
  stream: ClientHttp2Stream,
): Promise<{ status: string; messages: string[]; headers: IncomingHttpHeaders }> {
  let headers: IncomingHttpHeaders = {};
  const messages: string[] = [];
  const frames = new FrameReader();
  stream.on("response", (fields) => (headers = { ...headers, ...fields }));
  stream.on("trailers", (fields: IncomingHttpHeaders) => (headers = { ...headers, ...fields }));
  stream.on("data", (piece: Buffer) => {
    messages.push(...frames.push(piece).map((message) => Buffer.from(message).toString()));
  });
  stream.on("error", () => undefined);
  await new Promise((resolve) => stream.once("close", resolve));
  return { status: String(headers["grpc-status"]), messages, headers };
}

test("responds to a message with a message", async () => {
  expect(Buffer.from(await client.unary("/t/echo", bytes("hello"))).toString()).toBe("hello");
});

test("expects one message in the response of a unary call", async () => {
  await expect(client.unary("/t/double", bytes("a"))).rejects.toMatchObject({
    code: "INTERNAL",
    message: "The response contains more than one message.",
  });
});

test("serves many calls at once over one connection", async () => {
  const texts = Array.from({ length: 200 }, (_, index) => `message ${index}`);
  const answers = await Promise.all(texts.map((text) => client.unary("/t/echo", bytes(text))));
  expect(answers.map((answer) => Buffer.from(answer).toString())).toEqual(texts);
  expect(connections).toEqual([1]);
});

// One direction at a time: a session of Node.js does not read while it waits to write, so with one
// at both ends, two full sockets can wait for each other. Terraform's end always reads.
test("accepts requests of many megabytes, several at a time", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => client.unary("/t/length", large)));
  expect(answers.map((answer) => Buffer.from(answer).toString())).toEqual(
    [1, 2, 3].map(() => String(large.byteLength)),
  );
});

test("sends responses of many megabytes, several at a time", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => client.unary("/t/large", bytes(""))));
  expect(answers.map((answer) => large.equals(answer))).toEqual([true, true, true]);
});

test("uses routes that are created at the first call", async () => {
  const answers = await Promise.all([1, 2].map(() => client.unary("/t/late", bytes(""))));
  expect(answers.map((answer) => Buffer.from(answer).toString())).toEqual(["late", "late"]);
});

test("responds with UNIMPLEMENTED to an unknown method", async () => {
  await expect(client.unary("/t/nothing", bytes(""))).rejects.toMatchObject({
    code: "UNIMPLEMENTED",
    message: "The method /t/nothing does not exist.",
  });
});

test("passes on a handler's status", async () => {
  await expect(client.unary("/t/missing", bytes(""))).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "no größe",
  });
  expect(handlerErrors).toEqual([]);
});

test("hides the message of an unexpected error, and logs it", async () => {
  const failure = client.unary("/t/secret", bytes(""));
  await expect(failure).rejects.toMatchObject({ code: "INTERNAL" });
  await expect(failure).rejects.not.toThrow(/hunter2/);
  expect(handlerErrors).toEqual([new Error("the password is hunter2")]);
});

test("responds with INVALID_ARGUMENT to a request that does not decode", async () => {
  await expect(
    client.unary(providerMethods.stopProvider.path, Buffer.of(0xff)),
  ).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining("/tfplugin6.Provider/StopProvider (1 bytes)") as string,
  });
});

test.each([
  ["a compressed message", Buffer.of(1, 0, 0, 0, 1, 9), "12"],
  ["an impossible flag", Buffer.of(9, 0, 0, 0, 1, 9), "13"],
  ["a message of 4 GB", Buffer.of(0, 0xff, 0xff, 0xff, 0xff), "8"],
  ["half a message", Buffer.of(0, 0, 0, 0, 9, 1), "13"],
  ["no message", Buffer.alloc(0), "13"],
  ["two messages", Buffer.concat([encodeFrame(bytes("1")), encodeFrame(bytes("2"))]), "13"],
])("refuses %s and keeps the connection", async (_name, sent, status) => {
  const stream = open("/t/echo");
  stream.end(sent);
  expect(await finish(stream)).toMatchObject({ status, messages: [] });
  expect(await client.unary("/t/length", bytes("four"))).toEqual(Buffer.from("4"));
});

test("refuses a message that is too large while it is still being sent", async () => {
  const stream = open("/t/echo");
  stream.write(Buffer.of(0, 0xff, 0xff, 0xff, 0xff));
  expect((await finish(stream)).status).toBe("8");
});

test("reads a message that is split into many DATA frames", async () => {
  const stream = open("/t/echo");
  for (const byte of encodeFrame(bytes("cut up"))) {
    await new Promise((resolve) => stream.write(Buffer.of(byte), resolve));
  }
  stream.end();
  expect(await finish(stream)).toMatchObject({ status: "0", messages: ["cut up"] });
});

test("streams messages both ways, several of them in one DATA frame", async () => {
  const stream = open("/t/double");
  stream.end(Buffer.concat([encodeFrame(bytes("a")), encodeFrame(bytes("b"))]));
  expect(await finish(stream)).toMatchObject({ status: "0", messages: ["a", "a", "b", "b"] });
});

test.each([
  [{ ":method": "GET" }, 405],
  [{ "content-type": "application/json" }, 415],
])("responds with an HTTP status to a request that is not gRPC: %p", async (headers, status) => {
  const stream = open("/t/echo", headers).end();
  const [response] = (await once(stream, "response")) as [IncomingHttpHeaders];
  expect(response).toMatchObject({ ":status": status, "content-type": "text/plain" });
  expect(await text(stream)).toBe("This server accepts only gRPC calls.\n");
});

test("aborts the handler when the caller cancels", async () => {
  const seen = new Promise<void>((resolve) => (onAborted = resolve));
  const cancel = new AbortController();
  onStarted = () => {
    cancel.abort();
  };
  await expect(client.unary("/t/wait", bytes(""), { signal: cancel.signal })).rejects.toMatchObject(
    { code: "CANCELLED" },
  );
  await seen;
  expect(aborted).toEqual(["CANCELLED"]);
});

test("aborts the handler when the connection closes", async () => {
  const seen = new Promise<void>((resolve) => (onAborted = resolve));
  onStarted = () => {
    client.close();
  };
  await expect(client.unary("/t/wait", bytes(""))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await seen;
  expect(aborted).toEqual(["CANCELLED"]);
});

test("aborts the handler and responds when the deadline passes", async () => {
  // Only the server's timer: sockets have their own timers.
  jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setInterval"] });
  try {
    const timeoutMs = 60_000;
    onStarted = () => {
      queueMicrotask(() => jest.advanceTimersByTime(timeoutMs));
    };
    const failure = client.unary("/t/wait", bytes(""), { timeoutMs });
    await expect(failure).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    expect(aborted).toEqual(["DEADLINE_EXCEEDED"]);
  } finally {
    jest.useRealTimers();
  }
});

test("refuses a malformed deadline", async () => {
  const stream = open("/t/echo", { "grpc-timeout": "soon" });
  stream.end(encodeFrame(bytes("")));
  expect((await finish(stream)).status).toBe("13");
});

test("survives bytes that are not HTTP/2, and serves the next connection", async () => {
  const socket = connect((listener.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(Buffer.alloc(4096, "garbage "));
  await new Promise((resolve) => socket.resume().once("close", resolve));
  expect(await client.unary("/t/length", bytes("four"))).toEqual(Buffer.from("4"));
});

describe("a stream of responses", () => {
  const { path, request, response } = providerMethods.listResource;
  const messages = (limit: number) =>
    client.serverStream(path, request.encode({ typeName: "größe", limit }));

  it("arrives message by message, and then fails with the status of the call", async () => {
    const names: string[] = [];
    const read = async (): Promise<void> => {
      for await (const message of messages(3)) names.push(response.decode(message).displayName);
    };
    await expect(read()).rejects.toMatchObject({ code: "NOT_FOUND", message: "no more" });
    expect(names).toEqual(["größe", "größe", "größe"]);
  });

  it.each([
    ["whose request is malformed", path, bytes("\xff"), "INVALID_ARGUMENT"],
    ["that does not exist", "/t/nowhere", bytes(""), "UNIMPLEMENTED"],
  ])("%s fails with a status", async (_name, to, bytesOf, code) => {
    const stream = client.serverStream(to, bytesOf)[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject({ code });
  });

  it("is cancelled by the caller's signal", async () => {
    const aborter = new AbortController();
    const stream = client.serverStream(path, request.encode({ limit: 1_000_000 }), {
      signal: aborter.signal,
    });
    const read = async (): Promise<void> => {
      for await (const message of stream) {
        expect(message.byteLength).toBe(0);
        aborter.abort();
      }
    };
    await expect(read()).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
