import { writeSync } from "node:fs";
import { systemErrorCode } from "../../process/system-error";
import { LogRedactor } from "./log-redactor";

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The severity of a log message, in ascending order. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** The levels in ascending order; `off` is above all of them. */
const ranks: Readonly<Record<LogLevel | "off", number>> = {
  trace: 1,
  debug: 2,
  info: 3,
  warn: 4,
  error: 5,
  off: 6,
};

function isWritten(level: LogLevel, threshold: LogLevel | "off"): boolean {
  return ranks[level] >= ranks[threshold];
}

/**
 * Reads the log level from `TF_LOG_PROVIDER_<NAME>`, else `TF_LOG_PROVIDER`, else `TF_LOG`. If none
 * is set, nothing is logged.
 *
 * `JSON` and unknown levels mean trace, as in Terraform.
 *
 * @see {@link https://developer.hashicorp.com/terraform/plugin/log/managing}
 */
export function readLogLevel(name: string, env: Environment): LogLevel | "off" {
  const own = `TF_LOG_PROVIDER_${name.replaceAll("-", "_").toUpperCase()}`;
  for (const variable of [own, "TF_LOG_PROVIDER", "TF_LOG"]) {
    const level = env[variable]?.trim().toLowerCase() ?? "";
    if (level !== "") return isLevel(level) ? level : "trace";
  }
  return "off";
}

function isLevel(level: string): level is LogLevel | "off" {
  return Object.hasOwn(ranks, level);
}

/** Additional fields of a log message. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes a message. Fields that are passed as a function are computed only if the message is
 * written.
 */
export type LogMethod = (message: string, fields?: LogFields | (() => LogFields)) => void;

/**
 * The log of a provider, for troubleshooting. Terraform shows it when TF_LOG is set.
 *
 * Secrets are redacted: those passed to `redact`, fields with names such as `token`, and the user
 * information and query strings of URLs.
 */
export interface Logger {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  isEnabled(level: LogLevel): boolean;
  /** Creates a logger for a part of the provider, which is shown in `@module`. */
  named(part: string): Logger;
  /**
   * From now on, replaces every occurrence of the secret by `***`, in this logger and all loggers
   * with the same redactor.
   */
  redact(secret: string): void;
}

/** The settings of {@link createLogger}. */
interface LoggerOptions {
  /** The provider's name. */
  readonly name: string;
  /** The environment that sets the log level. */
  readonly env: Environment;
  /** Receives a line, including its line break. @default standard error */
  readonly write?: ((line: string) => void) | undefined;
  /** The time of a message. @default the system's */
  readonly now?: (() => Date) | undefined;
  /** Redacts secrets. @default a new one */
  readonly redactor?: LogRedactor | undefined;
}

/**
 * Creates the logger of a provider. It writes one JSON object per line, in hclog's format, which
 * Terraform reads.
 */
export function createLogger(options: LoggerOptions): Logger {
  const { name, env, write = writeToStderr, now = () => new Date() } = options;
  const redactor = options.redactor ?? new LogRedactor();
  const threshold = readLogLevel(name, env);
  const methodOf = (level: LogLevel, module: string): LogMethod => {
    if (!isWritten(level, threshold)) return ignore;
    return (message, fields) => {
      write(formatEntry({ level, module, message, fields, time: now() }, redactor));
    };
  };
  const loggerOf = (module: string): Logger => ({
    trace: methodOf("trace", module),
    debug: methodOf("debug", module),
    info: methodOf("info", module),
    warn: methodOf("warn", module),
    error: methodOf("error", module),
    isEnabled: (level) => isWritten(level, threshold),
    named: (part) => loggerOf(`${module}.${part}`),
    redact: (secret) => {
      redactor.add(secret);
    },
  });
  return loggerOf(`provider.${name}`);
}

interface Entry {
  readonly level: LogLevel;
  readonly module: string;
  readonly message: string;
  readonly fields?: LogFields | (() => LogFields) | undefined;
  readonly time: Date;
}

/** Terraform reads lines up to 64 KiB as JSON. */
const maxLineLength = 48_000;

function formatEntry({ fields, ...entry }: Entry, redactor: LogRedactor): string {
  const given = typeof fields === "function" ? fields() : (fields ?? {});
  const facts = Object.entries(given).map(([name, value]): readonly [string, unknown] => [
    redactor.text(name.replace(/^@+/, "")),
    redactor.field(name, value),
  ]);
  const core = {
    "@level": entry.level,
    "@message": defuse(redactor.text(entry.message)),
    "@module": entry.module,
    // Terraform's parser requires six digits.
    "@timestamp": entry.time.toISOString().replace("Z", "000Z"),
  };
  const line = JSON.stringify({ ...Object.fromEntries(facts), ...core });
  if (line.length <= maxLineLength) return `${line}\n`;
  return `${JSON.stringify({ fields: "omitted: too long", ...core })}\n`;
}

/** Changes messages that Terraform would treat as a crash of the provider, see plugin-process.ts. */
function defuse(message: string): string {
  return /^(?:panic|fatal error): /.test(message) ? `(${message})` : message;
}

function ignore(): void {
  // The level is off.
}

/** Writes to standard error. Ignores failures: a lost log line must not stop an operation. */
export function writeToStderr(text: string): void {
  try {
    writeFully(2, text);
  } catch {
    // The reader has closed the pipe.
  }
}

/** Limits the wait for a reader that never empties its pipe. */
const maxWaitMs = 2000;
const pauseMs = 1;

/**
 * Writes a string to a file descriptor, synchronously and completely.
 *
 * Waits while a non-blocking pipe is full (EAGAIN).
 *
 * @throws the system's error when the other end is closed (EPIPE) or the pipe stays full for 2
 * seconds
 */
export function writeFully(descriptor: number, text: string, write = writeSync): void {
  const bytes = Buffer.from(text);
  let offset = 0;
  let waitedMs = 0;
  while (offset < bytes.byteLength) {
    try {
      offset += write(descriptor, bytes, offset);
    } catch (error) {
      if (systemErrorCode(error) !== "EAGAIN" || waitedMs >= maxWaitMs) throw error;
      waitedMs += pauseMs;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
