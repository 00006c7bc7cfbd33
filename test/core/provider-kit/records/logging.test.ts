import {
  createLogger,
  type Logger,
  readLogLevel,
} from "../../../../src/core/provider-kit/records/logging";

let lines: string[];
const now = (): Date => new Date("2026-01-02T03:04:05.678Z");

function logger(env: Record<string, string> = { TF_LOG: "trace" }): Logger {
  lines = [];
  return createLogger({ name: "ids", env, now, write: (line) => lines.push(line) });
}

function entries(): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test.each([
  [{}, "off"],
  [{ TF_LOG: "" }, "off"],
  [{ TF_LOG: "OFF" }, "off"],
  [{ TF_LOG: "DEBUG" }, "debug"],
  [{ TF_LOG: "JSON" }, "trace"],
  [{ TF_LOG: "loud" }, "trace"],
  [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "warn" }, "warn"],
  [{ TF_LOG_PROVIDER: "error", TF_LOG_PROVIDER_MY_CLOUD: "info" }, "info"],
  [{ TF_LOG_PROVIDER_OTHER: "info" }, "off"],
])("reads the level from %p as %s", (env, level) => {
  expect(readLogLevel("my-cloud", env)).toBe(level);
});

test("writes a line that Terraform's plugin library can read", () => {
  logger().info("Created", { endpoint: "e1", tries: 2 });
  expect(lines).toEqual([
    '{"endpoint":"e1","tries":2,"@level":"info","@message":"Created","@module":"provider.ids",' +
      '"@timestamp":"2026-01-02T03:04:05.678000Z"}\n',
  ]);
});

test("writes messages at the level or above, and computes no fields below it", () => {
  const log = logger({ TF_LOG: "warn" });
  const fields = jest.fn(() => ({ a: 1 }));
  log.trace("t", fields);
  log.debug("d", fields);
  log.info("i", fields);
  expect(fields).not.toHaveBeenCalled();
  log.warn("w", fields);
  log.error("e");
  expect(entries().map((entry) => entry["@message"])).toEqual(["w", "e"]);
  expect([log.isEnabled("info"), log.isEnabled("warn")]).toEqual([false, true]);
});

test("is silent unless a level is set", () => {
  const log = logger({});
  log.error("nobody asked");
  expect(lines).toEqual([]);
  expect(log.isEnabled("error")).toBe(false);
});

test("names its parts in the module", () => {
  logger().named("http").named("retry").warn("again");
  expect(entries()[0]).toMatchObject({ "@module": "provider.ids.http.retry" });
});

test("never writes a registered secret, in any form or place", () => {
  const log = logger();
  const secret = 'pa"ss/word 1';
  log.named("http").redact(secret);
  log.info(`sent ${secret} twice: ${secret}`, {
    note: `with ${secret}`,
    url: `https://host/${encodeURIComponent(secret)}`,
    nested: { deep: [secret, { [secret]: secret }] },
    error: new Error(`refused ${secret}`, { cause: new Error(JSON.stringify({ secret })) }),
    bytes: Buffer.from(secret),
  });
  expect(lines.join("")).not.toMatch(/pa.{0,6}ss.{0,6}word/);
  expect(entries()[0]).toMatchObject({
    "@message": "sent *** twice: ***",
    nested: { deep: ["***", { "***": "***" }] },
    error: 'Error: refused ***, caused by Error: {"secret":"***"}',
  });
});

test("redacts a single line of a secret that has several", () => {
  const log = logger();
  log.redact("-----BEGIN KEY-----\nMIIBVAIBADANBgkqhkiG9w0B\n}\n-----END KEY-----");
  log.info("read MIIBVAIBADANBgkqhkiG9w0B and a } brace");
  expect(entries()[0]).toMatchObject({ "@message": "read *** and a } brace" });
});

test("redacts fields whose names suggest a secret", () => {
  logger().info("Configured", {
    accessToken: "a",
    client_secret: "b",
    PASSWORD: "c",
    credentials: { file: "d" },
    headers: { Authorization: "e", accept: "json" },
    project: "p",
  });
  expect(entries()[0]).toMatchObject({
    accessToken: "***",
    client_secret: "***",
    PASSWORD: "***",
    credentials: "***",
    headers: { Authorization: "***", accept: "json" },
    project: "p",
  });
});

test("redacts the query string and the user information of URLs", () => {
  logger().info("GET https://me:pw@host/path?sig=abc&x=1#frag, then http://b/?q", {
    url: new URL("https://host/upload?signature=xyz"),
  });
  expect(entries()[0]).toMatchObject({
    "@message": "GET https://***@host/path?***#frag, then http://b/?***",
    url: "https://host/upload?***",
  });
});

test("stays on one line and never looks like a crash", () => {
  const log = logger();
  log.error("panic: not really\nsecond line\u2028third");
  log.error("fatal error: neither");
  expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
  expect(entries().map((entry) => entry["@message"])).toEqual([
    "(panic: not really\\nsecond line\\nthird)",
    "(fatal error: neither)",
  ]);
});

test("does not let fields replace the entry's own", () => {
  logger().info("message", { "@message": 5, "@level": "panic", "@@x": 1 });
  expect(entries()[0]).toMatchObject({ "@message": "message", "@level": "info", level: "panic" });
});

test("writes values that JSON cannot represent", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  logger().info("odd", { loop, big: 5n, nan: NaN, fn: () => 1, no: undefined, nil: null });
  expect(entries()[0]).toMatchObject({ big: "5", nan: "NaN", fn: "[function]", nil: null });
});

test("stays below the length that Terraform reads as one entry", () => {
  const log = logger();
  log.info("x".repeat(1_000_000), { long: "y".repeat(1_000_000) });
  log.info("many", Object.fromEntries(Array.from({ length: 90 }, (_, i) => [i, "z".repeat(8000)])));
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(65_536);
  expect(entries()).toHaveLength(2);
});
