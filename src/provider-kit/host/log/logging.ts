import type { Environment } from "./log-level";
import { isWritten, type LogLevel, readLogLevel } from "./log-level";
import { LogRedactor } from "./redactor";
import { writeFully } from "./write-fully";

/** Facts that go with a message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one message; fields given as a function are computed only when they are written. */
export type LogMethod = (message: string, fields?: LogFields | (() => LogFields)) => void;

/**
 * What a provider tells people who look for a fault; Terraform shows it when TF_LOG asks for it.
 *
 * Secrets do not appear: those that `redact` was told of, fields whose names speak of one, and the
 * queries of URLs.
 */
export interface Logger {
  readonly trace: LogMethod;
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
  /** Whether messages of a level are written. */
  isEnabled(level: LogLevel): boolean;
  /** A logger for a part of the provider, which appears in `@module`. */
  named(part: string): Logger;
  /** Replaces every occurrence of the secret by `***` from now on, in this logger and its relatives. */
  redact(secret: string): void;
}

export interface LoggerOptions {
  /** The provider's name. */
  readonly name: string;
  readonly env: Environment;
  /** Takes a line, with its line break. @default standard error */
  readonly write?: ((line: string) => void) | undefined;
  readonly now?: (() => Date) | undefined;
  /** @default a new one */
  readonly redactor?: LogRedactor | undefined;
}

/** Makes the logger of a provider: one JSON object per line, in the form that Terraform reads. */
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
    name.replace(/^@+/, ""),
    redactor.field(name, value),
  ]);
  const core = {
    "@level": entry.level,
    "@message": defuse(redactor.text(entry.message)),
    "@module": entry.module,
    // Terraform's parser insists on six digits.
    "@timestamp": entry.time.toISOString().replace("Z", "000Z"),
  };
  const line = JSON.stringify({ ...Object.fromEntries(facts), ...core });
  if (line.length <= maxLineLength) return `${line}\n`;
  return `${JSON.stringify({ fields: "left out: too long", ...core })}\n`;
}

/** Terraform takes messages that begin so for the end of the provider, see crash.ts. */
function defuse(message: string): string {
  return /^(?:panic|fatal error): /.test(message) ? `(${message})` : message;
}

function ignore(): void {
  // The level is off.
}

/** A log that nobody can read is no reason to fail. */
export function writeToStderr(text: string): void {
  try {
    writeFully(2, text);
  } catch {
    // The reader has gone.
  }
}
