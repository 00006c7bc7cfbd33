import { setImmediate } from "node:timers/promises";

import {
  encodeFrame,
  maxMessageBytes,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-frame";
import type { Route, StreamCall } from "../../../../../src/core/provider-kit/wire/grpc/grpc-route";
import {
  type GrpcServer,
  createGrpcServer,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-server";
import { maxStreams } from "../../../../../src/core/provider-kit/wire/http2/http2-settings";
import {
  Http2Budget,
  maxHeldBytes,
} from "../../../../../src/core/provider-kit/wire/http2/http2-streams";
import * as wire from "./peer";

const { data, headers, ping, reset, settings, goAway } = wire;
const continuation = 9;
const { endHeaders, endStream, frame, number, setting } = wire;
const megabyte = 1024 * 1024;
const refused = 7;
const calm = 11;

let server: GrpcServer;
let peer: wire.Peer;
/** What a stream, and what a call without an answer of its own does. */
let act: (call: StreamCall) => Promise<void>;
let answer: () => Promise<Uint8Array>;
/** How many bytes the messages of all connections hold. */
let held: number;
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the budget
const { hold, release } = Http2Budget.prototype;

beforeEach(() => {
  held = 0;
  // Not with spies, which keep each of the calls.
  Http2Budget.prototype.hold = function (bytes: number): boolean {
    const isHeld = hold.call(this, bytes);
    if (isHeld) held += bytes;
    return isHeld;
  };
  Http2Budget.prototype.release = function (bytes: number): void {
    held -= bytes;
    release.call(this, bytes);
  };
  const large = Buffer.alloc(megabyte, "y");
  const routes = new Map<string, Route>([
    ["/t/echo", { kind: "unary", handle: (message) => message }],
    ["/t/length", { kind: "unary", handle: ({ byteLength }) => Buffer.from(String(byteLength)) }],
    ["/t/large", { kind: "unary", handle: () => large }],
    ["/t/wait", { kind: "unary", handle: () => answer() }],
    ["/t/stream", { kind: "stream", handle: (call) => act(call) }],
  ]);
  server = createGrpcServer({ routes });
  peer = new wire.Peer(server);
});

afterEach(async () => {
  await peer.close();
  server.close();
  Object.assign(Http2Budget.prototype, { hold, release });
});

const start = (id: number, path: string): Buffer =>
  frame(headers, endHeaders, id, wire.request(path));
const body = (id: number, text = ""): Buffer =>
  frame(data, endStream, id, encodeFrame(Buffer.from(text)));
/** The beginning of a message that is announced to be this long. */
const announce = (id: number, length: number): Buffer =>
  frame(data, 0, id, Buffer.concat([Buffer.of(0), number(length)]));
const ids = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, at) => 2 * (from + at) + 1);
const code = (id: number): number | undefined =>
  peer
    .frames(id)
    .find(({ type }) => type === reset)
    ?.content.readUInt32BE(0);
const status = (id: number): string | undefined => {
  const text = peer.frames(id).map(({ content }) => content.toString("latin1"));
  return /grpc-status.(\d+)/s.exec(text.join(""))?.[1];
};

describe("messages", () => {
  test("that never end may have as many bytes as one of the longest and some more", async () => {
    const calls = ids(6).flatMap((id) => [start(id, "/t/echo"), announce(id, maxMessageBytes)]);
    peer.send(frame(settings, 0, 0), ...calls);
    await peer.settle();
    expect(ids(6).map(status)).toEqual([undefined, "8", "8", "8", "8", "8"]);
    expect(held).toBeLessThan(maxHeldBytes);
    // A stream that has ended makes room for the next one.
    peer.send(frame(reset, 0, 1, number(8)), start(13, "/t/echo"), announce(13, maxMessageBytes));
    await peer.settle();
    expect(status(13)).toBeUndefined();
    await peer.close();
    await peer.until(() => held === 0);
  });

  test("are accepted up to the longest one, beside others", async () => {
    const piece = frame(data, 0, 3, Buffer.alloc(16_384));
    const pieces = Array.from({ length: 512 }, () => piece);
    peer.send(frame(settings, 0, 0), start(1, "/t/echo"), announce(1, 32 * megabyte));
    peer.send(start(3, "/t/length"), announce(3, maxMessageBytes));
    for (let sent = 0; sent < maxMessageBytes; sent += 512 * 16_384) {
      peer.send(...pieces);
      await peer.settle();
    }
    peer.send(frame(data, endStream, 3));
    await peer.until(() => status(3) !== undefined);
    const [message] = peer.frames(3).filter(({ type }) => type === data);
    expect(message?.content.subarray(5).toString()).toBe(String(maxMessageBytes));
  });

  test("are limited also when they are complete, empty, and not read", async () => {
    let goOn: () => void = () => undefined;
    act = async ({ messages }) => {
      await new Promise<void>((resolve) => (goOn = resolve));
      let read = 0;
      for await (const message of messages) read += message.byteLength;
      expect(read).toBe(0);
    };
    const empties = Buffer.alloc(16_380);
    const enough = Array.from({ length: 205 }, () => frame(data, 0, 1, empties));
    peer.send(frame(settings, 0, 0), start(1, "/t/stream"), ...enough);
    await peer.settle();
    expect(status(1)).toBe("8");
    expect(held).toBeGreaterThan(0.9 * maxHeldBytes);
    goOn();
    await peer.until(() => held === 0);
  });

  test("count until a handler has read them", async () => {
    let goOn: () => void = () => undefined;
    act = async ({ messages }) => {
      let read = 0;
      for await (const message of messages) {
        read += message.byteLength;
        if (read === 10) await new Promise<void>((resolve) => (goOn = resolve));
      }
    };
    const two = Buffer.concat([encodeFrame(Buffer.alloc(10)), encodeFrame(Buffer.alloc(1000))]);
    peer.send(frame(settings, 0, 0), start(1, "/t/stream"), frame(data, 0, 1, two));
    await peer.settle();
    const before = held;
    expect(before).toBeGreaterThan(1000);
    goOn();
    await peer.settle();
    expect(held).toBe(0);
    peer.send(frame(data, endStream, 1));
    await peer.until(() => status(1) === "0");
  });

  test("count until their handler has ended, also after the call", async () => {
    let end: (error: Error) => void = () => undefined;
    answer = () => new Promise((_resolve, reject) => (end = reject));
    peer.send(frame(settings, 0, 0), start(1, "/t/wait"), body(1, "a message"));
    peer.send(frame(reset, 0, 1, number(8)));
    await peer.settle();
    expect(held).toBeGreaterThan(0);
    end(new Error("too late"));
    await setImmediate();
    expect(held).toBe(0);
  });

  test("of any call leave nothing when it ends", async () => {
    act = async ({ messages }) => {
      for await (const message of messages) expect(message.byteLength).toBeLessThan(100);
    };
    answer = () => Promise.resolve(Buffer.from("done"));
    const half = frame(data, endStream, 9, encodeFrame(Buffer.alloc(100)).subarray(0, 50));
    const twice = Buffer.concat([encodeFrame(Buffer.alloc(10)), encodeFrame(Buffer.alloc(20))]);
    peer.send(frame(settings, 0, 0), start(1, "/t/echo"), body(1, "one"));
    peer.send(start(3, "/t/wait"), body(3, "one"), start(5, "/t/none"), body(5, "one"));
    peer.send(start(7, "/t/stream"), frame(data, endStream, 7, twice), start(9, "/t/echo"), half);
    peer.send(start(11, "/t/echo"), frame(data, endStream, 11, twice));
    await peer.until(() => ids(6).every((id) => status(id) !== undefined));
    expect(ids(6).map(status)).toEqual(["0", "0", "12", "0", "13", "13"]);
    expect(held).toBe(0);
  });

  test("of more than a window do not wait for a reader that waits for them", async () => {
    let read = 0;
    act = async ({ messages }) => {
      for await (const message of messages) read += message.byteLength;
    };
    const piece = frame(data, 0, 1, Buffer.alloc(16_384));
    const pieces = Array.from({ length: 128 }, () => piece);
    peer.send(frame(settings, 0, 0), start(1, "/t/stream"));
    peer.send(frame(data, 0, 1, encodeFrame(Buffer.alloc(10))), announce(1, 20 * megabyte));
    for (let sent = 0; sent < 20 * megabyte; sent += 128 * 16_384) {
      peer.send(...pieces);
      await peer.settle();
    }
    expect(read).toBe(10 + 20 * megabyte);
  });
});

describe("answers", () => {
  test("that wait for windows end the connection when they are too many", async () => {
    const calls = ids(400).flatMap((id) => [start(id, "/t/large"), body(id)]);
    peer.send(frame(settings, 0, 0, setting(4, 0)), ...calls);
    await peer.settle();
    expect(peer.frames(0).at(-1)?.content.readUInt32BE(4)).toBe(calm);
  });

  test("that wait for windows leave no room for messages", async () => {
    const calls = ids(100).flatMap((id) => [start(id, "/t/large"), body(id)]);
    peer.send(frame(settings, 0, 0, setting(4, 0)), ...calls);
    peer.send(start(201, "/t/echo"), announce(201, maxMessageBytes));
    await peer.settle();
    expect(status(201)).toBe("8");
    // Each of these streams ends after its response.
    peer.send(...ids(100).map((id) => frame(reset, 0, id, number(8))));
    peer.send(start(203, "/t/echo"), announce(203, maxMessageBytes));
    await peer.settle();
    expect(status(203)).toBeUndefined();
  });
});

describe("streams that are answered before their end", () => {
  /** Calls without an end of a method that does not exist. */
  const early = (count: number, from = 0): Buffer[] =>
    ids(count, from).map((id) => start(id, "/t/none"));
  const next = 2 * maxStreams + 1;

  test("are reset, and count until the client has ended them", async () => {
    peer.send(frame(settings, 0, 0), ...early(maxStreams + 1));
    await peer.settle();
    expect(peer.types(next - 2)).toEqual([headers, reset]);
    expect(code(next - 2)).toBe(0);
    expect([peer.types(next), code(next)]).toEqual([[reset], refused]);
  });

  test.each([
    ["resets them", (id: number) => frame(reset, 0, id, number(8))],
    ["sends their last data", (id: number) => frame(data, endStream, id)],
    [
      "sends their trailers",
      (id: number) => frame(headers, endHeaders | endStream, id, Buffer.alloc(0)),
    ],
  ])("do not count when the client %s", async (_name, end) => {
    peer.send(frame(settings, 0, 0), ...early(maxStreams));
    await peer.settle();
    for (let from = maxStreams; from < 3 * maxStreams; from += 500) {
      peer.send(...ids(500, from - maxStreams).map(end), ...early(500, from));
      await peer.settle();
    }
    expect(peer.types(6 * maxStreams - 1)).toEqual([headers, reset]);
  });

  test("do not count when the client has confirmed that it knows their ends", async () => {
    peer.send(frame(settings, 0, 0));
    for (let from = 0; from < 5 * maxStreams; from += maxStreams) {
      peer.send(...early(maxStreams, from));
      await peer.settle();
      const asked = peer.frames(0).filter(({ type, flags }) => type === ping && flags === 0);
      // One question is about all that have ended before it.
      expect(asked.length).toBeLessThanOrEqual((2 * from) / maxStreams + 2);
      peer.send(frame(ping, 1, 0, Buffer.alloc(8)));
      await peer.settle();
      peer.send(frame(ping, 1, 0, Buffer.alloc(8)));
    }
    expect(ids(5 * maxStreams).filter((id) => code(id) === refused)).toEqual([]);
  });
});

/** A request with 60,000 bytes of headers. */
function longHeaders(id: number): Buffer[] {
  const block = wire.request("/t/none", { "x-long": "y".repeat(60_000) });
  const part = (at: number): Buffer => block.subarray(at * 16_384, (at + 1) * 16_384);
  return [
    frame(headers, endStream, id, part(0)),
    frame(continuation, 0, id, part(1)),
    frame(continuation, 0, id, part(2)),
    frame(continuation, endHeaders, id, part(3)),
  ];
}

test.each([
  ["headers that are long, though valid", 200, longHeaders],
  [
    "streams that are reset",
    2000,
    (id: number) => [start(id, "/t/none"), frame(reset, 0, id, number(8))],
  ],
])("ends the connection after too many %s", async (_name, count, frames) => {
  peer.send(frame(settings, 0, 0), ...ids(20).flatMap((id) => frames(id)));
  await peer.settle();
  expect(peer.frames(0).some(({ type }) => type === goAway)).toBe(false);
  peer.send(...ids(count, 20).flatMap((id) => frames(id)));
  expect(await peer.end()).toBe(calm);
});
