import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { isRecord } from "../../json/is-object";
import type { LockedPackage } from "./locked-package";

/** How to start a {@link WarmProvider}. */
export interface WarmProviderOptions {
  readonly provider: LockedPackage;
  /** Its working folder. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder for its socket. */
  readonly socketFolder: string;
  /** The folder to which TF_LOG_PATH is relative. */
  readonly calledIn: string;
  /** Called when the process has ended although nobody has closed it. */
  readonly onCrash: (how: string) => void;
}

/** How long a provider has to start. Terraform gives it as long. */
const startMs = 60_000;

/** How long a provider has to end before it is killed. */
const endMs = 2000;

/** A crash report is shorter. */
const keptCharacters = 8000;

/** A provider's process that serves several commands of Terraform. */
export class WarmProvider {
  /** What TF_REATTACH_PROVIDERS must contain, by source address. */
  readonly attachments: Readonly<Record<string, unknown>>;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #ending: { isWanted: boolean };

  private constructor(
    attachments: Readonly<Record<string, unknown>>,
    child: ChildProcess,
    ended: Promise<unknown>,
    ending: { isWanted: boolean },
  ) {
    this.attachments = attachments;
    this.#process = child;
    this.#ended = ended;
    this.#ending = ending;
  }

  /** @throws Error with what the process said, if it does not serve */
  static async start(options: WarmProviderOptions): Promise<WarmProvider> {
    const { provider, folder, env, socketFolder, onCrash } = options;
    const child = spawn(provider.executable, ["--warm"], {
      cwd: folder,
      env: { ...env, PLUGIN_UNIX_SOCKET_DIR: socketFolder },
      stdio: "pipe",
    });
    const ending = { isWanted: true };
    const said = collected(child.stderr, logOf(options));
    // A provider that has crashed does not read its input.
    child.stdin.on("error", () => undefined);
    const ended = once(child, "close").then(([code, signal]: unknown[]) => {
      if (!ending.isWanted) onCrash(`${howItEnded(code, signal)}${indented(said())}`);
    });
    ended.catch(() => undefined);
    const timer = setTimeout(() => child.kill("SIGKILL"), startMs);
    const line = await Promise.race([firstLine(child.stdout), ended.then(() => "")]).finally(() => {
      clearTimeout(timer);
    });
    const attachments = parsed(line);
    if (attachments === undefined) {
      child.kill("SIGKILL");
      throw new Error(line || said().trim() || "it printed nothing");
    }
    ending.isWanted = false;
    return new WarmProvider(attachments, child, ended, ending);
  }

  /** Ends the process. It closes its connections and removes its socket. */
  async close(): Promise<void> {
    this.#ending.isWanted = true;
    this.#process.kill("SIGTERM");
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), endMs);
    await this.#ended;
    clearTimeout(timer);
  }
}

/** Where a provider's log goes: without TF_LOG nowhere, as if Terraform had started it. */
function logOf({ env, calledIn }: WarmProviderOptions): (text: string) => void {
  const isOn = Object.entries(env).some(
    ([name, value]) => /^TF_LOG(?!_PATH$)/.test(name) && value !== "",
  );
  if (!isOn) return () => undefined;
  const path = env["TF_LOG_PATH"] ?? "";
  return path === ""
    ? (text) => void process.stderr.write(text)
    : (text) => {
        appendFileSync(resolve(calledIn, path), text);
      };
}

/** Passes a stream on, and returns the end of it. */
function collected(stream: Readable, log: (text: string) => void): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    log(piece);
    text = `${text}${piece}`.slice(-keptCharacters);
  });
  return () => text;
}

/** Reads the first line. What comes later is read and dropped. */
function firstLine(stream: Readable): Promise<string> {
  return new Promise((done) => {
    let text = "";
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text = `${text}${piece}`.slice(0, keptCharacters);
      const [line = "", ...more] = text.split("\n");
      if (more.length > 0) done(line);
    });
  });
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const howItEnded = (code: unknown, signal: unknown): string =>
  typeof signal === "string" ? `it was ended by ${signal}` : `it ended with code ${String(code)}`;

/** The plain lines, which are those of a crash: the log is in JSON. */
function indented(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  return lines.length === 0 ? "." : `:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
