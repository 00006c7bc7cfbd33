import { connect as connectHttp2 } from "node:http2";
import { once } from "node:events";
import { duplexPair } from "node:stream";
import { setImmediate } from "node:timers/promises";

import { encodeFrame } from "../../../../../src/core/provider-kit/wire/grpc/grpc-frame";
import type { Route, StreamCall } from "../../../../../src/core/provider-kit/wire/grpc/grpc-route";
import {
  type GrpcServer,
  createGrpcServer,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-server";
import { maxHeldBytes } from "../../../../../src/core/provider-kit/wire/http2/http2-streams";
import * as wire from "./peer";

const { data, headers, ping, reset, settings, windowUpdate } = wire;
const { endHeaders, endStream, frame, number, setting } = wire;
const megabyte = 1024 * 1024;

let open: number;
let server: GrpcServer;
let peer: wire.Peer;
/** What a stream does. */
let act: (call: StreamCall) => Promise<void>;
let handlerErrors: unknown[];
/** How many calls of `/t/ended` have ended. */
let closedCalls: number;

beforeEach(() => {
  open = 0;
  handlerErrors = [];
  closedCalls = 0;
  const large = Buffer.alloc(megabyte, "y");
  const routes = new Map<string, Route>([
    ["/t/echo", { kind: "unary", handle: (message) => message }],
    [
      "/t/ended",
      {
        kind: "unary",
        handle: (message, { onClosed }) => {
          onClosed(() => (closedCalls += 1));
          return message;
        },
      },
    ],
    ["/t/large", { kind: "unary", handle: () => large }],
    ["/t/stream", { kind: "stream", handle: (call) => act(call) }],
  ]);
  server = createGrpcServer({
    routes,
    lateRoutes: () => new Map([["/t/late", { kind: "stream", handle: (call) => act(call) }]]),
    onConnections: (count) => (open = count),
    onHandlerError: (_path, error) => handlerErrors.push(error),
  });
  peer = new wire.Peer(server);
});

afterEach(async () => {
  await peer.close();
  server.close();
});

const start = (id: number, path: string): Buffer =>
  frame(headers, endHeaders, id, wire.request(path));
const body = (id: number, text = ""): Buffer =>
  frame(data, endStream, id, encodeFrame(Buffer.from(text)));
const noWindow = frame(settings, 0, 0, setting(4, 0));
const untilAborted = ({ signal }: StreamCall): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve());
  });

test("sends nothing after the end of a stream", async () => {
  const refused: unknown[] = [];
  act = async ({ send }) => {
    // A handler that does not wait for its messages, and sends when it has ended.
    void send(Buffer.from("one"));
    await Promise.resolve();
    void setImmediate().then(() =>
      send(Buffer.from("late")).catch((e: unknown) => refused.push(e)),
    );
  };
  peer.send(noWindow, start(1, "/t/stream"), body(1));
  await peer.until(() => refused.length > 0);
  peer.send(frame(windowUpdate, 0, 1, number(1000)));
  await peer.settle();
  expect(peer.types(1)).toEqual([headers, data, headers]);
});

test("sends the status after what waits for a window, and then stops the caller", async () => {
  act = ({ send }) => {
    void send(Buffer.from("one"));
    return Promise.reject(new Error("broken"));
  };
  peer.send(noWindow, start(1, "/t/stream"));
  await peer.settle();
  expect(peer.types(1)).toEqual([headers]);
  peer.send(frame(windowUpdate, 0, 1, number(1000)));
  await peer.settle();
  expect(peer.types(1)).toEqual([headers, data, headers, reset]);
});

test("does not keep the streams that a caller leaves half open", async () => {
  act = () => Promise.resolve();
  for (let at = 0; at < 1500; at += 1) {
    peer.send(...(at === 0 ? [frame(settings, 0, 0)] : []), start(2 * at + 1, "/t/stream"));
    if (at % 500 === 499) {
      await peer.settle();
      peer.send(frame(ping, 1, 0, Buffer.alloc(8)));
    }
  }
  expect(peer.types(2999)).toEqual([headers, headers, reset]);
  expect(peer.frames(2999)[2]?.content).toEqual(number(0));
});

test("aborts a handler whose request turns out to be malformed", async () => {
  let reason: unknown;
  act = async (call) => {
    await untilAborted(call);
    reason = call.signal.reason;
  };
  peer.send(
    frame(settings, 0, 0),
    start(1, "/t/stream"),
    frame(data, 0, 1, Buffer.of(9, 0, 0, 0, 0)),
  );
  await peer.until(() => reason !== undefined);
  expect(reason).toMatchObject({ code: "INTERNAL" });
});

test("calls a listener that is added after the end, and each only once", async () => {
  const called: string[] = [];
  act = async (call) => {
    call.onClosed(() => called.push("before"));
    await untilAborted(call);
    call.onClosed(() => called.push("after"));
  };
  peer.send(frame(settings, 0, 0), start(1, "/t/stream"), frame(reset, 0, 1, number(8)));
  await peer.until(() => called.length > 1);
  await peer.close();
  server.close();
  await peer.until(() => open === 0);
  expect(called).toEqual(["before", "after"]);
});

test.each(["/t/stream", "/t/late"])("survives a handler of %s that throws", async (path) => {
  act = () => {
    throw new Error("at once");
  };
  peer.send(frame(settings, 0, 0), start(1, path), body(1));
  await peer.until(() => peer.types(1).length === 2);
  expect(handlerErrors).toEqual([new Error("at once")]);
});

test("permits no more messages than a handler reads", async () => {
  let read = 0;
  let goOn: () => void = () => undefined;
  act = async ({ messages }) => {
    await new Promise<void>((resolve) => (goOn = resolve));
    for await (const message of messages) read += message.byteLength;
  };
  const piece = encodeFrame(Buffer.alloc(16_000));
  const twelve = Math.floor((12 * megabyte) / piece.length);
  const sent = Array.from({ length: twelve }, () => frame(data, 0, 1, piece));
  peer.send(frame(settings, 0, 0), start(1, "/t/stream"), ...sent);
  await peer.settle();
  expect(peer.types(1)).toEqual([headers]);
  goOn();
  await peer.until(() => peer.types(1).includes(windowUpdate));
  expect(read).toBe(twelve * 16_000);
  expect(peer.frames(1)[1]?.content).toEqual(number(twelve * piece.length));
  peer.send(frame(data, endStream, 1));
  await peer.until(() => peer.types(1).length === 3);
});

test("refuses more messages than permitted", async () => {
  act = untilAborted;
  const piece = frame(data, 0, 1, encodeFrame(Buffer.alloc(16_000)));
  const seventeen = Array.from({ length: Math.ceil((17 * megabyte) / 16_000) }, () => piece);
  peer.send(frame(settings, 0, 0), start(1, "/t/stream"), ...seventeen);
  await peer.settle();
  expect(peer.frames(1).map(({ type, content }) => [type, content.at(-1)])).toContainEqual([
    reset,
    3,
  ]);
});

test("ends a connection whose answers are not read, also those of one turn", async () => {
  peer.socket.pause();
  const wide = [setting(4, 2 ** 31 - 1), setting(5, 2 ** 24 - 1)];
  const calls = Array.from({ length: 1000 }, (_, at) => [
    start(2 * at + 1, "/t/large"),
    body(2 * at + 1),
  ]);
  const grow = frame(windowUpdate, 0, 0, number(2 ** 31 - 1 - 65_535));
  peer.send(frame(settings, 0, 0, Buffer.concat(wide)), grow, ...calls.flat());
  await setImmediate();
  peer.socket.resume();
  expect(await peer.end()).toBe(11);
  expect(peer.bytes.length).toBeLessThan(maxHeldBytes + 10 * megabyte);
});

test("applies the last of very many settings, once", async () => {
  const calls = Array.from({ length: 1000 }, (_, at) => [
    start(2 * at + 1, "/t/echo"),
    body(2 * at + 1),
  ]);
  const flood = Array.from({ length: 2700 }, (_, at) => setting(4, at % 2 === 0 ? 7 : 0));
  peer.send(noWindow, ...calls.flat());
  for (let at = 0; at < 500; at += 1) peer.send(frame(settings, 0, 0, Buffer.concat(flood)));
  await peer.settle();
  expect(peer.types(1999)).toEqual([headers]);
  peer.send(frame(settings, 0, 0, setting(4, 5)));
  await peer.settle();
  expect(peer.types(1999)).toEqual([headers, data, data, headers]);
});

test("serves streams in turn when their common window is narrow", async () => {
  const calls = [1, 3, 5].map((id) => [start(id, "/t/large"), body(id)]).flat();
  peer.send(frame(settings, 0, 0, setting(4, 2 * megabyte)), ...calls);
  await peer.settle();
  const sent = (): number[] =>
    [1, 3, 5].map((id) =>
      peer
        .frames(id)
        .filter(({ type }) => type === data)
        .reduce((bytes, { content }) => bytes + content.length, 0),
    );
  expect(sent()).toEqual([65_535, 0, 0]);
  for (let at = 0; at < 6; at += 1) peer.send(frame(windowUpdate, 0, 0, number(10)));
  await peer.settle();
  expect(sent()).toEqual([65_555, 20, 20]);
  peer.send(frame(windowUpdate, 0, 0, number(4 * megabyte)));
  await peer.until(() => peer.types(5).length > 3 && sent().every((each) => each === megabyte + 5));
});

test.each([0, 100])("answers a client whose header table has %d bytes", async (headerTableSize) => {
  const [own, other] = duplexPair();
  server.accept(other);
  const client = connectHttp2("http://localhost", {
    createConnection: () => own,
    settings: { headerTableSize },
  });
  await once(client, "localSettings");
  for (let at = 0; at < 2; at += 1) {
    const stream = client.request({
      ":method": "POST",
      ":path": "/t/echo",
      "content-type": "application/grpc",
    });
    stream.resume().end(encodeFrame(Buffer.from("hello")));
    const [trailers] = (await once(stream, "trailers")) as [Record<string, string>];
    expect(trailers["grpc-status"]).toBe("0");
  }
  client.destroy();
});

test.each(["a\0b", "a\rb", "a\nb"])("refuses the value %j of a header", async (value) => {
  const block = wire.request("/t/echo", { "x-value": value });
  peer.send(frame(settings, 0, 0), frame(headers, endHeaders, 1, block));
  await peer.settle();
  expect(peer.types(1)).toEqual([reset]);
});

test("reads frames that are split anywhere, also into bytes", async () => {
  const call = Buffer.concat([frame(settings, 0, 0), start(1, "/t/echo"), body(1, "hello")]);
  const answer = async (pieces: readonly Buffer[]): Promise<Buffer> => {
    const one = new wire.Peer(server);
    for (const piece of pieces) one.send(piece);
    await one.until(() => one.types(1).length === 3);
    await one.close();
    return one.bytes;
  };
  const whole = await answer([call]);
  for (let at = 1; at < call.length; at += 1) {
    expect((await answer([call.subarray(0, at), call.subarray(at)])).equals(whole)).toBe(true);
  }
  expect((await answer([...call].map((byte) => Buffer.of(byte)))).equals(whole)).toBe(true);
});

test("ends calls and connections when the peer dies or errs, or the server closes", async () => {
  for (const end of [
    (one: wire.Peer) => one.socket.destroy(),
    () => server.close(),
    (one: wire.Peer) => one.send(frame(ping, 0, 1, Buffer.alloc(8))),
  ]) {
    let aborted = 0;
    let closed = 0;
    act = async (call) => {
      call.onClosed(() => (closed += 1));
      call.send(Buffer.alloc(1000)).catch(() => undefined);
      await untilAborted(call);
      aborted += 1;
    };
    const one = new wire.Peer(server);
    const ids = Array.from({ length: 100 }, (_, at) => 2 * at + 1);
    one.send(noWindow, ...ids.map((id) => start(id, "/t/stream")));
    await one.settle();
    end(one);
    await one.until(() => aborted === 100 && closed === 100);
    await one.close();
    expect([aborted, closed]).toEqual([100, 100]);
  }
});

test("reports the end of each of 20,000 calls once, and keeps no call", async () => {
  peer.send(frame(settings, 0, 0), frame(windowUpdate, 0, 0, number(megabyte)));
  for (let from = 0; from < 20_000; from += 1000) {
    const ids = Array.from({ length: 1000 }, (_, at) => 2 * (from + at) + 1);
    peer.send(...ids.flatMap((id) => [start(id, "/t/ended"), body(id)]));
    // With the streams of 10 earlier turns still open, these would be refused.
    await peer.until(() => closedCalls === from + 1000);
  }
  await peer.settle();
  expect(peer.types(39_999)).toEqual([headers, data, headers]);
  expect(closedCalls).toBe(20_000);
});
