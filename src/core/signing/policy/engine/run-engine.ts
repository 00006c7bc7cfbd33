import { spawn } from "node:child_process";
import type { CallContext } from "../../../http/call-context";
import { endedWhile } from "../../../http/http-error";
import { parseJson } from "../../../json/parse-json";
import { isJsonError } from "../../../json/read-json";
import type { JsonValue } from "../../../json/plain-json";

/** A policy in another language, over the JSON of an attestation or of the results of authorities. */
export interface PolicyProgram {
  readonly type: "cue" | "rego";
  readonly data: string;
  /**
   * Whether a policy in CUE accepts an input that lacks a field which the policy sets to a value, as CUE itself and
   * the policy controller do.
   *
   * @default "refused"
   */
  readonly missing?: "refused" | "allowed" | undefined;
}

/** The answer of a program: it accepts its input, or refuses it. */
export type ProgramAnswer =
  | { readonly isCompliant: true; readonly warning?: string | undefined }
  | {
      readonly isCompliant: false;
      /** A predicate without a full stop. */
      readonly problem: string;
      readonly warning?: string | undefined;
      /** True if the program could not be evaluated, so that it has not refused its input. @default false */
      readonly isUndecided?: boolean | undefined;
    };

/** Evaluates a program over JSON. Any failure is an answer that refuses. */
export type EvaluateProgram = (program: PolicyProgram, input: string) => Promise<ProgramAnswer>;

export const refuses = (problem: string): ProgramAnswer => ({ isCompliant: false, problem });

export const undecided = (problem: string): ProgramAnswer => ({
  isCompliant: false,
  problem: `cannot be evaluated: ${problem}`,
  isUndecided: true,
});

/** Refuses every program: the default where programs cannot be evaluated. */
export const cannotEvaluate: EvaluateProgram = () =>
  Promise.resolve(undecided("CUE and Rego are not available here"));

export type EngineRun =
  | { readonly code: number; readonly output: string; readonly errors: string }
  | { readonly problem: string };

interface EngineCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** The working folder, which is also the home and the place for temporary files. */
  readonly folder: string;
  /** Folders in which the program finds other programs. */
  readonly path: string;
  readonly input: string;
  readonly timeoutMs: number;
  /** The maximum size of what it writes, in bytes. @default 1000000 */
  readonly maxBytes?: number | undefined;
}

const work = "a policy was evaluated";

// The data segment in KiB, the seconds of computing time, and no core files.
const limits = "ulimit -d 2097152 2>/dev/null; ulimit -t 60 2>/dev/null; ulimit -c 0 2>/dev/null";

/**
 * Runs an engine in its own folder, with an environment that has no credentials, a deadline, and limits of
 * memory and output.
 *
 * @throws HttpError if the call ends
 */
export async function runEngine(
  { program, args, folder, path, input, timeoutMs, maxBytes = 1_000_000 }: EngineCommand,
  { signal, deadline }: CallContext,
): Promise<EngineRun> {
  const left = deadline - Date.now();
  if (signal.aborted) throw endedWhile("CANCELLED", work);
  if (left <= 0) throw endedWhile("DEADLINE", work);
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", `${limits}; exec "$0" "$@"`, program, ...args], {
      cwd: folder,
      env: environmentOf(folder, path),
      stdio: ["pipe", "pipe", "pipe"],
      // In its own group, to end whatever the program started as well.
      detached: true,
    });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    let size = 0;
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const stop = (): void => {
      finish();
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended already.
      }
    };
    const cancel = (): void => {
      stop();
      reject(endedWhile("CANCELLED", work));
    };
    const timeOut = (): void => {
      stop();
      if (left <= timeoutMs) reject(endedWhile("DEADLINE", work));
      else resolve({ problem: `took longer than ${timeoutMs / 1000} s` });
    };
    const timer = setTimeout(timeOut, Math.min(left, timeoutMs));
    signal.addEventListener("abort", cancel, { once: true });
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      stop();
      resolve({ problem: `wrote more than ${Math.round(maxBytes / 1000)} kB` });
    };
    child.stdout.on("data", collect(output));
    child.stderr.on("data", collect(errors));
    child.on("error", () => {
      finish();
      resolve({ problem: "could not be run" });
    });
    child.on("close", (code, killedBy) => {
      // The processes that it started must end, too.
      stop();
      if (code === null) resolve({ problem: `was ended by ${killedBy ?? "a signal"}` });
      else resolve({ code, output: text(output), errors: text(errors) });
    });
    // A program that does not read its input must not crash this process.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** Reads JSON that an engine printed; undefined for anything else. */
export function jsonIn(output: string): JsonValue | undefined {
  try {
    return parseJson(output);
  } catch (error) {
    if (isJsonError(error)) return undefined;
    throw error;
  }
}

const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");

/** Contains no credentials and no proxies of the provider. CUE fetches no modules. */
function environmentOf(folder: string, path: string): NodeJS.ProcessEnv {
  return {
    PATH: path,
    HOME: folder,
    TMPDIR: folder,
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    CUE_CACHE_DIR: folder,
    CUE_CONFIG_DIR: folder,
    CUE_REGISTRY: "none",
    GOMEMLIMIT: "512MiB",
    LC_ALL: "C",
  };
}
