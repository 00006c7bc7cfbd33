import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { isRecord, parsedJson } from "../../core/json/plain-json";
import { type ProcessEnd, startServing } from "../../core/process/serving-process";
import { writeText } from "../../core/redaction/output";
import { note } from "../invocation/failure";

/** A provider's process that serves several commands of Terraform. */
export interface WarmProvider {
  /** The content of TF_REATTACH_PROVIDERS, by source address. */
  readonly attachments: Readonly<Record<string, unknown>>;
  /** Stops the process, which closes its connections and removes its socket. */
  readonly close: () => Promise<void>;
}

interface WarmProviderOptions {
  /** The name in messages, such as `ids`. */
  readonly name: string;
  /** The program with its arguments. */
  readonly command: readonly [string, ...(readonly string[])];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly socketFolder: string;
  /** The folder to which TF_LOG_PATH is relative. */
  readonly calledIn: string;
  /** Called when the process has exited by itself. */
  readonly onCrash: (how: string) => void;
}

/** @throws Error with the output of the process, if it does not start to serve */
export async function startWarmProvider(options: WarmProviderOptions): Promise<WarmProvider> {
  const { name, command, folder, socketFolder, onCrash } = options;
  const [program, ...args] = command;
  const isLogged = Object.entries(options.env).some(
    ([variable, value]) => /^TF_LOG(?!_PATH$)/.test(variable) && value !== "",
  );
  const own = {
    PLUGIN_UNIX_SOCKET_DIR: socketFolder,
    ...(!isLogged && { TF_LOG_PROVIDER: "warn" }),
  };
  const env = { ...options.env, ...own };
  // Without TF_LOG, the log is dropped, as if Terraform had started the provider.
  const log = isLogged
    ? logOf(options)
    : waitReader((reason) => {
        note(`the provider ${name} waits: ${reason}`);
      });
  const started = await startServing(program, args, { env, folder, log });
  let isClosing = false;
  void started.ended.then((end) => {
    // A process that was asked to end exits without a failure, unless it has crashed just before.
    if (!isClosing || (end.code ?? 0) !== 0)
      onCrash(`${howItEnded(end)}${indented(started.said())}`);
  });
  return {
    attachments: started.announcement,
    close: async () => {
      isClosing = true;
      await started.end("SIGTERM");
    },
  };
}

/** Returns the destination of a provider's log. */
function logOf({ env, calledIn }: WarmProviderOptions): (text: string) => void {
  const path = env["TF_LOG_PATH"] ?? "";
  return path === ""
    ? (text) => {
        writeText(process.stderr, text);
      }
    : (text) => {
        appendFileSync(resolve(calledIn, path), text);
      };
}

const howItEnded = ({ code, signal }: ProcessEnd): string =>
  signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;

/** Indents the plain lines, which a crash prints: the log is in JSON. */
function indented(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  return lines.length === 0 ? "." : `:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/** Shorter waits are not shown. */
const shownMs = 5_000;

/**
 * Reads a provider's log, and shows why the provider waits before it repeats a request. Terraform does not show the log while
 * it runs.
 *
 * @param show receives the reason for a wait
 */
export function waitReader(show: (reason: string) => void): (text: string) => void {
  let partial = "";
  return (text) => {
    const lines = `${partial}${text}`.split("\n");
    partial = lines.pop() ?? "";
    for (const line of lines) {
      const entry = line.includes('"waitMs":') ? parsedJson(line) : undefined;
      if (!isRecord(entry)) continue;
      const { "@message": reason, waitMs } = entry;
      if (typeof reason === "string" && typeof waitMs === "number" && waitMs >= shownMs) {
        show(reason);
      }
    }
  };
}
