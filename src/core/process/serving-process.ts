import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { isRecord, parsedJson, type Properties } from "../json/plain-json";

export interface ServingOptions {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The working folder. @default that of this process */
  readonly folder?: string | undefined;
  /** Receives the standard error output. @default it is dropped */
  readonly log?: ((text: string) => void) | undefined;
}

/** How a process ended: with an exit code, or by a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that serves others until it is stopped. */
interface ServingProcess {
  /** The JSON object on the first line of its output, with the address at which it serves. */
  readonly announcement: Properties;
  /** Returns the last part of its standard error output. */
  readonly said: () => string;
  readonly ended: Promise<ProcessEnd>;
  /** Sends a signal, and kills the process if it does not exit. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** The time to start serving, the same as Terraform gives a provider. */
const startMs = 60_000;

/** The time to exit before it is killed. */
const endMs = 2000;

/** Enough for an announcement, and for the report of a crash. */
const keptCharacters = 8000;

/** Starts a process, and waits until it serves. @throws Error with its output if it does not */
export async function startServing(
  executable: string,
  args: readonly string[],
  { env, folder, log }: ServingOptions,
): Promise<ServingProcess> {
  const child = spawn(executable, args, { cwd: folder, env: { ...env }, stdio: "pipe" });
  const said = collected(child.stderr, log);
  // A process that has ended no longer reads its input.
  child.stdin.on("error", () => undefined);
  const failed = new Promise<string>((resolve) => {
    child.on("error", ({ message }) => resolve(message));
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
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

/** Passes on the data of a stream, and returns a function for its last part. */
function collected(stream: Readable, log: (text: string) => void = () => undefined): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    log(piece);
    text = `${text}${piece}`.slice(-keptCharacters);
  });
  return () => text;
}

/** Reads the first line, and drops everything after it. */
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
