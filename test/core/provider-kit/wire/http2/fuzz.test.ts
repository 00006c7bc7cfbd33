import { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";

import fc from "fast-check";

import { createGrpcClient } from "../../../../../src/core/provider-kit/wire/grpc/grpc-client";
import type { Route } from "../../../../../src/core/provider-kit/wire/grpc/grpc-route";
import { createGrpcServer } from "../../../../../src/core/provider-kit/wire/grpc/grpc-server";
import {
  Peer,
  data,
  endHeaders,
  endStream,
  frame,
  headers,
  preface,
  request,
  settings,
} from "./peer";

let open = 0;
/** The calls whose handlers have begun, and the calls whose end was reported. */
let begun = 0;
let ended = 0;

const routes = new Map<string, Route>([
  ["/t/echo", { kind: "unary", handle: (message) => message }],
  [
    "/t/large",
    {
      kind: "unary",
      handle: async (_message, { onClosed }) => {
        begun += 1;
        onClosed(() => (ended += 1));
        await setImmediate();
        return Buffer.alloc(100_000);
      },
    },
  ],
  [
    "/t/double",
    {
      kind: "stream",
      handle: async ({ messages, send, onClosed }) => {
        begun += 1;
        onClosed(() => (ended += 1));
        for await (const message of messages) {
          await send(message);
          await send(message);
        }
      },
    },
  ],
]);
const server = createGrpcServer({ routes, onConnections: (count) => (open = count) });

afterAll(() => {
  server.close();
});

/** What a client of Node.js sends for some calls. */
async function record(): Promise<Buffer> {
  const peer = new Peer(server);
  const sent: Buffer[] = [];
  const wire = new Duplex({
    read: () => undefined,
    write: (piece: Buffer, _encoding, done) => {
      sent.push(piece);
      // The peer has sent the preface already.
      const isFirst = sent.length === 1;
      peer.socket.write(isFirst ? piece.subarray(preface.length) : piece, done);
    },
  });
  peer.socket.on("data", (piece: Buffer) => wire.push(piece));
  const client = createGrpcClient(wire);
  const paths = ["/t/echo", "/t/large", "/t/nothing", "/t/echo"];
  await Promise.allSettled(paths.map((path) => client.unary(path, Buffer.alloc(300, "x"))));
  for await (const message of client.serverStream("/t/double", Buffer.from("two"))) {
    expect(message).toHaveLength(3);
  }
  client.close();
  await peer.close();
  return Buffer.concat(sent).subarray(preface.length);
}

const edit = fc.record({
  kind: fc.constantFrom("flip", "set", "cut", "repeat", "end"),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  size: fc.integer({ min: 1, max: 200 }),
  value: fc.integer({ min: 0, max: 255 }),
});

type Edit = typeof edit extends fc.Arbitrary<infer Made> ? Made : never;

function edited(bytes: Buffer, { kind, at: part, size, value }: Edit): Buffer {
  const at = Math.floor(part * bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (kind) {
    case "cut":
      return Buffer.concat([before, after.subarray(size)]);
    case "repeat":
      return Buffer.concat([before, after.subarray(0, size), after]);
    case "end":
      return before;
    default: {
      const byte = kind === "flip" ? (bytes[at] ?? 0) ^ (1 << (value & 7)) : value;
      return Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
    }
  }
}

test("whatever a peer sends ends no more than its own connection, and leaves nothing", async () => {
  const recorded = await record();
  const property = fc.asyncProperty(
    fc.array(edit, { maxLength: 5 }),
    fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 8 }),
    async (edits, sizes) => {
      const bytes = edits.reduce(edited, recorded);
      const peer = new Peer(server);
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        peer.send(bytes.subarray(at, at + size));
        at += size;
        if (turn % 4 === 0) await setImmediate();
      }
      await setImmediate();
      await peer.close();
      await peer.until(() => open === 0 && begun === ended);
      const next = new Peer(server);
      const call = [
        frame(headers, endHeaders, 1, request("/t/echo")),
        frame(data, endStream, 1, Buffer.alloc(5)),
      ];
      next.send(frame(settings, 0, 0), ...call);
      await next.until(() => next.types(1).length === 3);
      await next.close();
    },
  );
  await fc.assert(property, { numRuns: 400 });
});
