import {
  FrameReader,
  encodeFrame,
} from "../../../../../src/core/provider-kit/wire/grpc/grpc-frame";

const message = Buffer.from("a message");

function codeOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
  return "no error";
}

test("reads a message that arrives byte by byte", () => {
  const reader = new FrameReader();
  const messages = [...encodeFrame(message)].flatMap((byte) => reader.push(Buffer.of(byte)));
  expect(messages).toEqual([message]);
  expect(reader.isPartial).toBe(false);
});

test("reads several messages from one chunk, also empty ones", () => {
  const frames = Buffer.concat([message, Buffer.alloc(0), message].map(encodeFrame));
  expect(new FrameReader().push(frames)).toEqual([message, Buffer.alloc(0), message]);
});

test("keeps the beginning of the next message", () => {
  const reader = new FrameReader();
  const frames = Buffer.concat([encodeFrame(message), encodeFrame(message)]);
  expect(reader.push(frames.subarray(0, frames.length - 3))).toHaveLength(1);
  expect(reader.isPartial).toBe(true);
  expect(reader.push(frames.subarray(frames.length - 3))).toEqual([message]);
});

test.each([
  ["a compressed message", Buffer.of(1, 0, 0, 0, 1, 9), "UNIMPLEMENTED"],
  ["an impossible flag", Buffer.of(7, 0, 0, 0, 1, 9), "INTERNAL"],
  ["a message beyond the limit", Buffer.of(0, 0, 0, 1, 0), "RESOURCE_EXHAUSTED"],
])("refuses %s", (_name, bytes, code) => {
  expect(codeOf(() => new FrameReader(255).push(bytes))).toBe(code);
});

test("refuses messages larger than 256 MB by default, before they arrive", () => {
  expect(codeOf(() => new FrameReader().push(Buffer.of(0, 0x10, 0, 0, 1)))).toBe(
    "RESOURCE_EXHAUSTED",
  );
});
