import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { type ProcessEnd, startServing } from "../../process/serving-process";
import type { LockedPackage } from "./locked-package";

/** A provider's process that serves several commands of Terraform. */
export interface WarmProvider {
  /** The content of TF_REATTACH_PROVIDERS, by source address. */
  readonly attachments: Readonly<Record<string, unknown>>;
  /** Stops the process, which closes its connections and removes its socket. */
  readonly close: () => Promise<void>;
}

interface WarmProviderOptions {
  readonly provider: LockedPackage;
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
  const { provider, folder, socketFolder, onCrash } = options;
  const env = { ...options.env, PLUGIN_UNIX_SOCKET_DIR: socketFolder };
  const log = logOf(options);
  const started = await startServing(provider.executable, ["--warm"], { env, folder, log });
  let isClosing = false;
  void started.ended.then((end) => {
    if (!isClosing) onCrash(`${howItEnded(end)}${indented(started.said())}`);
  });
  return {
    attachments: started.announcement,
    close: async () => {
      isClosing = true;
      await started.end("SIGTERM");
    },
  };
}

/**
 * Returns the destination of a provider's log. Without TF_LOG it is dropped, as if Terraform had started the
 * provider.
 */
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

const howItEnded = ({ code, signal }: ProcessEnd): string =>
  signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;

/** Indents the plain lines, which are those of a crash: the log is in JSON. */
function indented(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  return lines.length === 0 ? "." : `:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
