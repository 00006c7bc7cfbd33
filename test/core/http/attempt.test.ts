import { beginAttempt, readBody, readStart } from "../../../src/core/http/attempt";
import { systemClock } from "../../../src/core/http/call-context";

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

test.each([
  [25, "25 bytes"],
  [1_000, "1 kB"],
  [1_000_000, "1 MB"],
])("a body above %i bytes is refused with this limit", async (maxBytes, limit) => {
  const body = asynchronous([Buffer.alloc(maxBytes + 1)]);
  await expect(readBody({ headers: {}, body }, maxBytes)).rejects.toThrow(
    `the response is larger than ${limit}`,
  );
});

test("a body of exactly the limit is read", async () => {
  const body = asynchronous([Buffer.from("ab"), Buffer.from("c")]);

  expect(String(await readBody({ headers: {}, body }, 3))).toBe("abc");
});

// eslint-disable-next-line @typescript-eslint/require-await
async function* asynchronous(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const label = { method: "GET", url: new URL("https://service.example/a?token=x") } as const;
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

function said(failure: unknown, isAnswered = false): string {
  const context = { signal: new AbortController().signal, deadline: Infinity };
  const attempt = beginAttempt({ label, context, clock: systemClock });
  if (isAnswered) attempt.answered();
  attempt.end();
  return attempt.explain(failure).message;
}

test.each([
  [
    coded("ENOTFOUND", "getaddrinfo"),
    /got no response: the host name service\.example cannot be resolved$/,
  ],
  [
    coded("ECONNREFUSED", "connect"),
    /got no response: no server is listening on service\.example$/,
  ],
  [coded("EPIPE", "write"), /got no response: write \(EPIPE\)$/],
  [coded("EPIPE", ""), /got no response: EPIPE$/],
  [new Error("broken"), /got no response: broken$/],
  [new Error(""), /got no response: the system gives no reason$/],
])("%s is explained", (failure, expected) => {
  expect(said(failure)).toMatch(expected);
});

test("a connection that was closed says when", () => {
  const closed = coded("ECONNRESET", "socket hang up");
  expect(said(closed)).toContain("closed before the response (ECONNRESET)");
  expect(said(closed, true)).toContain("closed during the response (ECONNRESET)");
});
