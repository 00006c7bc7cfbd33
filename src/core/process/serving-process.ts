import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { isRecord, parsedJson } from "../json/plain-json";

/** The settings of {@link startServing}. */
export interface ServingOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** Its working folder. @default that of this process */
  readonly folder?: string | undefined;
  /** Receives its standard error output. @default the output is dropped */
  readonly log?: ((text: string) => void) | undefined;
}

/** The end of a process: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that serves others until it is stopped. */
interface ServingProcess {
  /** The JSON object on the first line that it printed, which says where it serves. */
  readonly announcement: Readonly<Record<string, unknown>>;
  /** Returns the end of its standard error output. */
  readonly said: () => string;
  readonly ended: Promise<ProcessEnd>;
  /** Sends a signal and waits for the process to exit; kills it if it does not. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** The time that a process has to start serving. Terraform gives a provider as long. */
const startMs = 60_000;

/** The time that a process has to exit before it is killed. */
const endMs = 2000;

/** Long enough for an announcement and for the report of a crash. */
const keptCharacters = 8000;

/**
 * Starts a process, and waits until it serves.
 *
 * @throws Error with the output of the process if it does not start to serve
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
  const announcement = parsedJson(line);
  if (isRecord(announcement)) return { announcement, said, ended, end };
  await end("SIGKILL");
  throw new Error([line, said().trim()].filter(Boolean).join("\n") || "it printed nothing");
}

/** Passes the data of a stream on, and returns a function for the end of it. */
function collected(stream: Readable, log: (text: string) => void = () => undefined): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    log(piece);
    text = `${text}${piece}`.slice(-keptCharacters);
  });
  return () => text;
}

/** Reads the first line. Later data is read and dropped. */
export function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text = `${text}${piece}`.slice(0, keptCharacters);
      const end = text.indexOf("\n");
      if (end >= 0) resolve(text.slice(0, end));
    });
  });
}
