import { writeFully } from "../../../../src/core/provider-kit/records/logging";

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test("continues after a partial write and while the pipe is full", () => {
  let written = "";
  let calls = 0;
  writeFully(1, "a line\n", (_descriptor, bytes, offset) => {
    calls += 1;
    if (calls % 2 === 0) throw systemError("EAGAIN");
    const piece = Buffer.from(bytes as Uint8Array).subarray(offset ?? 0, (offset ?? 0) + 3);
    written += piece.toString();
    return piece.byteLength;
  });
  expect(written).toBe("a line\n");
});

test("fails when the reader has closed the pipe", () => {
  expect(() => {
    writeFully(1, "a line\n", () => {
      throw systemError("EPIPE");
    });
  }).toThrow("EPIPE");
});
