import { PassThrough } from "node:stream";

import { createGrpcServer } from "../../../../../src/core/provider-kit/wire/grpc/grpc-server";
import { HpackDecoder } from "../../../../../src/core/provider-kit/wire/http2/hpack";
import { Http2Output } from "../../../../../src/core/provider-kit/wire/http2/http2-output";
import { Http2Sender } from "../../../../../src/core/provider-kit/wire/http2/http2-sender";
import { Http2Stream } from "../../../../../src/core/provider-kit/wire/http2/http2-streams";
import { RequestHeaders } from "../../../../../src/core/provider-kit/wire/http2/request-headers";
import {
  Peer,
  data,
  endHeaders,
  endStream,
  frame,
  goAway,
  headers,
  request,
  reset,
  settings,
} from "./peer";

/** A field that the decoder keeps in its table, where its index is 62. */
function kept(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(0x40), text(name), text(value)]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "latin1");
  if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes]);
  const rest = bytes.length - 127;
  return Buffer.concat([Buffer.of(127, (rest & 0x7f) | 0x80, rest >>> 7), bytes]);
}

/** How many characters are converted to numbers, or compared with regular expressions. */
function countCharacters(action: () => void): number {
  let characters = 0;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the expression
  const { test } = RegExp.prototype;
  const count = <Result>(read: (value: string) => Result) =>
    function (this: unknown, value: string): Result {
      characters += value.length;
      return read.call(this, value);
    };
  const global = globalThis as { Number: unknown };
  const before = global.Number;
  RegExp.prototype.test = count(test);
  global.Number = Object.assign(count(Number), { isInteger: Number.isInteger });
  try {
    action();
  } finally {
    RegExp.prototype.test = test;
    global.Number = before;
  }
  return characters;
}

describe("headers that refer to a long one again and again", () => {
  const requests = 1000;
  const timesEach = 15;

  test.each([
    ["an endless content-length", kept("content-length", "9".repeat(3900)), Buffer.of(0xbe)],
    ["a field with an endless name", kept("x".repeat(3900), ""), Buffer.of(0x0f, 62 - 15, 0)],
    ["a field with an endless value", kept("x", "y".repeat(3900)), Buffer.of(0xbe)],
  ])("read %s once", (_name, long, reference) => {
    const decoder = new HpackDecoder();
    const block = Buffer.concat([
      request("/t"),
      ...Array.from({ length: timesEach }, () => reference),
    ]);
    const read = countCharacters(() => {
      decoder.decode(long, 0, long.length);
      for (let at = 0; at < requests; at += 1) decoder.decode(block, 0, block.length);
    });
    // Of the other headers, each request has no more than this.
    expect(read).toBeLessThan(2 * 3900 + requests * block.length);
    expect(read).toBeGreaterThan(3900);
  });

  test("are given up as soon as they are too long", () => {
    const add = jest.spyOn(RequestHeaders.prototype, "add");
    try {
      const decoder = new HpackDecoder();
      const long = kept("x", "y".repeat(3900));
      decoder.decode(long, 0, long.length);
      const block = Buffer.alloc(16_000, 0xbe);
      expect(() => decoder.decode(block, 0, block.length)).toThrow(
        expect.objectContaining({ code: "ENHANCE_YOUR_CALM" }) as Error,
      );
      expect(add).toHaveBeenCalledTimes(1 + 17);
    } finally {
      add.mockRestore();
    }
  });
});

describe("a request", () => {
  const server = createGrpcServer({
    routes: new Map([["/t/echo", { kind: "unary", handle: (message) => message }]]),
  });
  let peer: Peer;
  beforeEach(() => (peer = new Peer(server)));
  afterEach(() => peer.close());

  const resets = (): (readonly [number, number | undefined])[] =>
    [1, 3, 5].map((id) => {
      const found = peer.frames(id).find(({ type }) => type === reset);
      return [peer.frames(id).length, found?.content.readUInt32BE(0)] as const;
    });

  test.each([
    ["that is not a number", "1x"],
    ["with a sign", "+1"],
    ["that is empty", ""],
    ["that no body can have", "1".repeat(16)],
    ["of thousands of digits", "1".repeat(3900)],
  ])("with a content-length %s ends at first sight, also the next time", async (_name, value) => {
    const first = Buffer.concat([request("/t/echo"), kept("content-length", value)]);
    const again = Buffer.concat([request("/t/echo"), Buffer.of(0xbe)]);
    peer.send(frame(settings, 0, 0), frame(headers, endHeaders, 1, first));
    peer.send(frame(headers, endHeaders, 3, again), frame(headers, endHeaders, 5, again));
    await peer.settle();
    expect(resets()).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  test("with two lengths ends, and one with the same length twice does not", async () => {
    const block = (...values: readonly string[]): Buffer =>
      Buffer.concat([request("/t/echo"), ...values.map((value) => kept("content-length", value))]);
    peer.send(frame(settings, 0, 0), frame(headers, endHeaders, 1, block("5", "6")));
    peer.send(frame(headers, endHeaders, 3, block("5", "5")));
    peer.send(frame(data, endStream, 3, Buffer.alloc(5)));
    await peer.settle();
    expect(resets()).toEqual([
      [1, 1],
      [3, undefined],
      [0, undefined],
    ]);
  });

  test("with a content-length in its trailers that is malformed ends", async () => {
    peer.send(frame(settings, 0, 0), frame(headers, endHeaders, 1, request("/t/echo")));
    const trailers = kept("content-length", "1".repeat(3900));
    peer.send(frame(headers, endHeaders | endStream, 1, trailers));
    await peer.settle();
    expect(resets()[0]).toEqual([1, 1]);
  });

  test("that is malformed again and again ends the connection", async () => {
    const first = Buffer.concat([request("/t/echo"), kept("content-length", "1x")]);
    const again = Buffer.concat([request("/t/echo"), Buffer.of(0xbe)]);
    peer.send(frame(settings, 0, 0), frame(headers, endHeaders, 1, first));
    for (let at = 1; at < 2000; at += 1) peer.send(frame(headers, endHeaders, 2 * at + 1, again));
    expect(await peer.end()).toBe(11);
  });

  test("for a method whose name is long is answered briefly, also the next time", async () => {
    const method = Buffer.of(0x83, 0x86);
    const type = kept("content-type", "application/grpc");
    const first = Buffer.concat([method, kept(":path", "\xff".repeat(3900)), type]);
    const again = Buffer.concat([method, Buffer.of(0xbf, 0xbe)]);
    peer.send(frame(settings, 0, 0), frame(headers, endHeaders | endStream, 1, first));
    peer.send(frame(headers, endHeaders | endStream, 3, again));
    await peer.settle();
    for (const id of [1, 3]) {
      const [answer] = peer.frames(id);
      expect(answer?.content.toString("latin1")).toContain("The called method does not exist.");
      expect(answer?.content.length).toBeLessThan(200);
    }
    expect(peer.frames(0).some(({ type }) => type === goAway)).toBe(false);
  });
});

describe("window updates", () => {
  class Quiet extends Http2Stream {
    begin(): void {
      // The test sends its responses.
    }
    receive(): void {
      // The tests send no body.
    }
    receiveEnd(): void {
      // The tests send no body.
    }
    closed(): void {
      // Nothing is held.
    }
  }

  /** How many elements of sets are visited. */
  function countVisits(action: () => void): number {
    let visits = 0;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the set
    const { values } = Set.prototype;
    const iterate = jest.spyOn(Set.prototype, Symbol.iterator).mockImplementation(function (
      this: Set<unknown>,
    ) {
      const iterator = values.call(this);
      const next = iterator.next.bind(iterator);
      return Object.assign(iterator, {
        next: () => {
          visits += 1;
          return next();
        },
      });
    });
    action();
    iterate.mockRestore();
    return visits;
  }

  test.each([
    ["for the connection", 1000],
    ["for their own windows", 1],
  ])("of a byte do not visit all the streams that wait %s", (_name, open) => {
    const output = new Http2Output(new PassThrough());
    const sender = new Http2Sender(output, () => undefined);
    const streams = Array.from({ length: 1000 }, (_, at) => new Quiet(2 * at + 1));
    streams.forEach((stream, at) => {
      stream.sendWindow = at < open ? 2 ** 31 - 1 : 0;
      sender.sendData(stream, Buffer.alloc(100_000), true, undefined);
    });
    const waitingBefore = sender.waitingBytes;
    const visits = countVisits(() => {
      for (let at = 0; at < 1000; at += 1) sender.enlarge(1);
    });
    expect(visits).toBeGreaterThanOrEqual(1000);
    expect(visits).toBeLessThan(3000);
    expect(sender.waitingBytes).toBe(waitingBefore);
  });
});
