import { readBody, readStart } from "../../../src/core/http/attempt";

/** A long body, and how many of its pieces of ten bytes were read. */
function longBody() {
  const read = { pieces: 0 };
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (; read.pieces < 1_000; read.pieces += 1) yield Buffer.alloc(10, "x");
  }
  return { read, body: pieces() };
}

test("of a long body, only the start that is quoted is read", async () => {
  const { read, body } = longBody();
  expect(String(await readStart({ headers: {}, body }, 25))).toBe("x".repeat(25));
  expect(read.pieces).toBeLessThan(4);
});

test("a body above the limit is not read to its end, whatever it announces", async () => {
  for (const announced of ["20", "9".repeat(15), "9".repeat(400), "-1", "x", ""]) {
    const { read, body } = longBody();
    const source = { headers: { "content-length": announced }, body };
    await expect(readBody(source, 25)).rejects.toMatchObject({ code: "ANSWER_TOO_LARGE" });
    expect(read.pieces).toBeLessThan(4);
  }
});

test("a body of exactly the limit is read", async () => {
  const body = asynchronous([Buffer.from("ab"), Buffer.from("c")]);

  expect(String(await readBody({ headers: {}, body }, 3))).toBe("abc");
});

// eslint-disable-next-line @typescript-eslint/require-await
async function* asynchronous(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
