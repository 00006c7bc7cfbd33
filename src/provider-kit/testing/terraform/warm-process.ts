import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { isRecord } from "../../../json/is-object";
import type { Environment } from "../../host/log/log-level";

/** The executable of a provider and its arguments, such as `["node", "build/provider.cjs"]`. */
export type ProviderCommand = readonly [string, ...string[]];

/** The address at which a provider listens. */
export interface ProviderAddress {
  readonly network: "unix" | "tcp";
  /** The path of a socket, or host and port. */
  readonly address: string;
}

/** A provider's process that serves any number of clients. */
export interface WarmProcess {
  /** What TF_REATTACH_PROVIDERS must contain, by source address. */
  readonly attachments: Readonly<Record<string, unknown>>;
  /** Where it listens. */
  readonly address: ProviderAddress;
  /** Kills the process without a warning, as `kill -9` does, and waits for its end. */
  readonly kill: () => Promise<void>;
  /** Ends the process. It removes its socket. */
  readonly close: () => Promise<void>;
}

/** How long a provider has to start. Terraform gives it as long. */
const startMs = 60_000;

/** How long a provider has to end before it is killed. */
const endMs = 2000;

const keptCharacters = 8000;

/**
 * Starts a provider that was made with this kit so that it serves several clients, with `--warm`.
 *
 * @param env its whole environment
 * @throws Error with what the process said, if it does not serve
 */
export async function startWarmProcess(
  [executable, ...args]: ProviderCommand,
  env: Environment,
): Promise<WarmProcess> {
  const child = spawn(executable, [...args, "--warm"], { env: { ...env }, stdio: "pipe" });
  const said = collected(child.stderr);
  // A process that has ended does not read its input.
  child.stdin.on("error", () => undefined);
  const ended = once(child, "close");
  const early = ended.then(
    () => "",
    (error: unknown) => String(error),
  );
  const limit = setTimeout(() => child.kill("SIGKILL"), startMs);
  const line = await Promise.race([firstLine(child.stdout), early]).finally(() => {
    clearTimeout(limit);
  });
  const attachments = parsed(line);
  const address = attachments && addressOf(attachments);
  const signalled = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    const impatience = setTimeout(() => child.kill("SIGKILL"), endMs);
    await early;
    clearTimeout(impatience);
  };
  if (attachments === undefined || address === undefined) {
    await signalled("SIGKILL");
    const why = [line, said().trim()].filter(Boolean).join("\n") || "it printed nothing";
    throw new Error(`the provider ${executable} does not serve: ${why}`);
  }
  return {
    attachments,
    address,
    kill: () => signalled("SIGKILL"),
    close: () => signalled("SIGTERM"),
  };
}

function collected(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
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
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function addressOf(attachments: Readonly<Record<string, unknown>>): ProviderAddress | undefined {
  const [attachment] = Object.values(attachments);
  const found = isRecord(attachment) ? attachment["Addr"] : undefined;
  const { Network: network, String: address } = isRecord(found) ? found : {};
  if (typeof address !== "string") return undefined;
  return { network: network === "tcp" ? "tcp" : "unix", address };
}
