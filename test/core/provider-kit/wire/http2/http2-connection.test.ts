import { once } from "node:events";
import { type Socket, connect, createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";

import { createGrpcServer } from "../../../../../src/core/provider-kit/wire/grpc/grpc-server";
import { encodeFrame } from "../../../../../src/core/provider-kit/wire/grpc/grpc-frame";
import { headerBlock } from "../../../../../src/core/provider-kit/wire/http2/hpack";
import {
  data,
  endHeaders,
  endStream,
  frame,
  goAway,
  headers,
  number,
  ping,
  preface,
  type Received,
  request as requestOf,
  reset,
  setting,
  settings,
  windowUpdate,
} from "./peer";

const continuation = 9;
const request = requestOf("/t/echo");

let listener: Server;
let socket: Socket;
let received: Buffer;

beforeEach(async () => {
  const large = Buffer.alloc(100_000, "y");
  const server = createGrpcServer({
    routes: new Map([
      ["/t/echo", { kind: "unary", handle: (message: Uint8Array) => message }],
      ["/t/large", { kind: "unary", handle: () => large }],
    ]),
  });
  listener = createServer((accepted) => {
    server.accept(accepted);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  socket = connect((listener.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  received = Buffer.alloc(0);
  socket.on("data", (piece: Buffer) => (received = Buffer.concat([received, piece])));
});

afterEach(() => {
  socket.destroy();
  listener.close();
});

/** Sends frames after the preface, and returns the first answer of some type. */
async function answerTo(frames: readonly Buffer[], type: number): Promise<Received> {
  const sent = Buffer.concat([preface, frame(settings, 0, 0), ...frames]);
  socket.write(sent);
  return next(type);
}

async function next(type: number): Promise<Received> {
  for (;;) {
    for (let at = 0; at + 9 <= received.length;) {
      const end = at + 9 + received.readUIntBE(at, 3);
      if (end > received.length) break;
      if (received[at + 3] === type && !(type === settings && received[at + 4] === 0)) {
        const found = {
          type,
          flags: received[at + 4] ?? 0,
          id: received.readUInt32BE(at + 5),
          content: received.subarray(at + 9, end),
        };
        received = Buffer.concat([received.subarray(0, at), received.subarray(end)]);
        return found;
      }
      at = end;
    }
    await once(socket, "data");
  }
}

const call = (id: number): Buffer[] => [
  frame(headers, endHeaders, id, request),
  frame(data, endStream, id, encodeFrame(Buffer.from("hello"))),
];

test("answers a call in three frames", async () => {
  const { id, content } = await answerTo(call(1), data);
  expect([id, content.subarray(5).toString()]).toEqual([1, "hello"]);
  expect(await next(headers)).toMatchObject({ id: 1, flags: endHeaders });
  expect(await next(headers)).toMatchObject({ id: 1, flags: endHeaders | endStream });
});

test("reads headers in several frames", async () => {
  const [first, second] = [request.subarray(0, 7), request.subarray(7)];
  const [, body = Buffer.alloc(0)] = call(1);
  const frames = [
    frame(headers, 0, 1, first),
    frame(continuation, 0, 1, Buffer.alloc(0)),
    frame(continuation, endHeaders, 1, second),
    body,
  ];
  expect((await answerTo(frames, data)).content.subarray(5).toString()).toBe("hello");
});

test("answers a ping, and settings before what they permit", async () => {
  const content = Buffer.from("12345678");
  expect(await answerTo([frame(ping, 0, 0, content)], ping)).toMatchObject({ flags: 1, content });
  expect(await next(settings)).toMatchObject({ flags: 1 });
});

test("sends no more than the windows permit, also while they shrink", async () => {
  const narrow = frame(settings, 0, 0, setting(4, 10));
  const path = headerBlock({
    ":method": "POST",
    ":scheme": "http",
    ":path": "/t/large",
    "content-type": "application/grpc",
  });
  const asked = [
    frame(headers, endHeaders, 1, path),
    frame(data, endStream, 1, encodeFrame(Buffer.alloc(0))),
  ];
  expect((await answerTo([narrow, ...asked], data)).content).toHaveLength(5);
  expect((await next(data)).content).toHaveLength(5);
  // The window becomes -8, then 2.
  socket.write(frame(settings, 0, 0, setting(4, 2)));
  socket.write(frame(windowUpdate, 0, 1, number(10)));
  expect((await next(data)).content).toHaveLength(2);
  socket.write(frame(windowUpdate, 0, 1, number(1_000_000)));
  let rest = 0;
  // The window of the connection permits 65,535 bytes.
  while (rest < 65_535 - 12) rest += (await next(data)).content.length;
  socket.write(frame(windowUpdate, 0, 0, number(1_000_000)));
  while (rest < 100_005 - 12) rest += (await next(data)).content.length;
  expect(rest).toBe(100_005 - 12);
});

test.each([
  ["a frame that is too long", [frame(data, 0, 1, Buffer.alloc(16_385))], 6],
  ["data before a stream began", [frame(data, 0, 1)], 1],
  ["headers on an even stream", [frame(headers, endHeaders, 2, request)], 1],
  ["a smaller stream", [...call(5), frame(headers, endHeaders, 3, request)], 1],
  ["headers on a stream that has ended", [...call(1), frame(headers, 5, 1, request)], 5],
  ["another frame in a header block", [frame(headers, 0, 1, request), frame(ping, 0, 0)], 1],
  ["a window that is too large", [frame(windowUpdate, 0, 0, number(2 ** 31 - 1))], 3],
  ["broken headers", [frame(headers, endHeaders, 1, Buffer.of(0xff))], 9],
  [
    "headers without an end",
    [frame(headers, 0, 1, request), ...Array.from({ length: 65 }, () => frame(continuation, 0, 1))],
    11,
  ],
  [
    "streams that are reset as soon as they begin",
    Array.from({ length: 1100 }, (_, at) => [
      frame(headers, endHeaders, 2 * at + 1, request),
      frame(reset, 0, 2 * at + 1, number(8)),
    ]).flat(),
    11,
  ],
])("ends the connection after %s", async (_name, frames, code) => {
  expect((await answerTo(frames, goAway)).content.readUInt32BE(4)).toBe(code);
  await once(socket, "close");
});

test.each([
  ["malformed headers", [frame(headers, endHeaders, 1, headerBlock({ ":method": "POST" }))], 1],
  ["headers in the middle", [...call(1).slice(0, 1), frame(headers, endHeaders, 1, request)], 1],
  [
    "a body of another length than announced",
    [
      frame(
        headers,
        endHeaders,
        1,
        Buffer.concat([request, headerBlock({ "content-length": "3" })]),
      ),
      frame(data, endStream, 1, Buffer.alloc(4)),
    ],
    1,
  ],
])("resets a stream after %s, and serves the next one", async (_name, frames, code) => {
  const answer = await answerTo([...frames, ...call(3)], reset);
  expect([answer.id, answer.content.readUInt32BE(0)]).toEqual([1, code]);
  expect((await next(data)).content.subarray(5).toString()).toBe("hello");
});
