import { Writable } from "node:stream";
import type { Logger, LogLevel } from "./logging";

const levels = {
  trace: "trace",
  debug: "debug",
  log: "info",
  info: "info",
  warn: "warn",
  error: "error",
} as const satisfies Readonly<Record<string, LogLevel>>;

/**
 * Redirects the console and process.stdout to the log.
 *
 * Standard output is reserved for the handshake: Terraform fails if a line precedes it, and ignores
 * lines after it.
 */
export function redirectStandardOutput(logger: Logger): void {
  const log = logger.named("console");
  for (const [method, level] of Object.entries(levels)) {
    const redirected = (...values: readonly unknown[]): void => {
      const [first, ...others] = values;
      // As fields, so that secrets are recognised by the names in an object.
      if (typeof first === "string") log[level](first, others.length > 0 ? { others } : undefined);
      else log[level]("console", { values });
    };
    Object.defineProperty(console, method, { value: redirected, configurable: true });
  }
  let stream: Writable | undefined;
  Object.defineProperty(process, "stdout", {
    configurable: true,
    get: () => (stream ??= logStream(log)),
  });
}

function logStream(log: Logger): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      const text = chunk.toString().trimEnd();
      if (text !== "") log.info(text);
      done();
    },
  });
}
