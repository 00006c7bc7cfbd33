import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { isRecord } from "../json/is-object";
import { parsedJson } from "../json/plain-json";

/** How to start a {@link ServingProcess}. */
export interface ServingOptions {
  /** Its whole environment. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Its working folder. @default that of this process */
  readonly folder?: string | undefined;
  /** Receives what it writes to standard error. @default nobody does */
  readonly log?: ((text: string) => void) | undefined;
}

/** How a process ended: with an exit code, or by a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that serves others until it is ended. */
export interface ServingProcess {
  /** The object that it printed first, as JSON in a line: where it serves. */
  readonly announcement: Readonly<Record<string, unknown>>;
  /** The last part of what it has written to standard error. */
  readonly said: () => string;
  readonly ended: Promise<ProcessEnd>;
  /** Sends a signal and waits for the end. If that does not end the process, kills it. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** How long a process has until it serves. Terraform gives a provider as long. */
const startMs = 60_000;

/** How long a process has to end before it is killed. */
const endMs = 2000;

/** An announcement is shorter, and so is the report of a crash. */
const keptCharacters = 8000;

/**
 * Starts a process, and waits until it serves.
 *
 * @throws Error with what the process said, if it does not serve
 */
export async function startServing(
  executable: string,
  args: readonly string[],
  { env, folder, log }: ServingOptions,
): Promise<ServingProcess> {
  const child = spawn(executable, args, { cwd: folder, env: { ...env }, stdio: "pipe" });
  const said = collected(child.stderr, log);
  // A process that has ended does not read its input.
  child.stdin.on("error", () => undefined);
  const failed = new Promise<string>((resolve) => {
    child.on("error", ({ message }) => {
      resolve(message);
    });
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code, signal });
    });
  });
  const gone = Promise.race([failed, ended.then(() => "")]);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    const impatience = setTimeout(() => child.kill("SIGKILL"), endMs);
    await gone;
    clearTimeout(impatience);
  };
  const limit = setTimeout(() => child.kill("SIGKILL"), startMs);
  const line = await Promise.race([firstLine(child.stdout), gone]).finally(() => {
    clearTimeout(limit);
  });
  const announcement = parsed(line);
  if (announcement !== undefined) return { announcement, said, ended, end };
  await end("SIGKILL");
  throw new Error([line, said().trim()].filter(Boolean).join("\n") || "it printed nothing");
}

/** Passes a stream on, and returns the last part of it. */
function collected(stream: Readable, log: (text: string) => void = () => undefined): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    log(piece);
    text = `${text}${piece}`.slice(-keptCharacters);
  });
  return () => text;
}

/** Reads the first line. What comes later is read and dropped. */
function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text = `${text}${piece}`.slice(0, keptCharacters);
      const end = text.indexOf("\n");
      if (end >= 0) resolve(text.slice(0, end));
    });
  });
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsedJson(line);
  return isRecord(value) ? value : undefined;
}
