import { isRecord } from "../../../json/is-object";
import { startServing } from "../../../process/serving-process";
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
  /** The content of TF_REATTACH_PROVIDERS, by source address. */
  readonly attachments: Readonly<Record<string, unknown>>;
  /** The address at which it listens. */
  readonly address: ProviderAddress;
  /** Kills the process without a warning, as `kill -9` does, and waits until it has exited. */
  readonly kill: () => Promise<void>;
  /** Stops the process, which then removes its socket. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a provider that is built with this kit with `--warm`, so that it serves several clients.
 *
 * @param env its complete environment
 * @throws Error with the output of the process if it does not start to serve
 */
export async function startWarmProcess(
  [executable, ...args]: ProviderCommand,
  env: Environment,
): Promise<WarmProcess> {
  const { announcement, end } = await startServing(executable, [...args, "--warm"], { env }).catch(
    (cause: unknown) => {
      throw notServing(executable, cause instanceof Error ? cause.message : String(cause));
    },
  );
  const address = addressOf(announcement);
  if (address === undefined) {
    await end("SIGKILL");
    throw notServing(executable, JSON.stringify(announcement));
  }
  return {
    attachments: announcement,
    address,
    kill: () => end("SIGKILL"),
    close: () => end("SIGTERM"),
  };
}

const notServing = (executable: string, why: string): Error =>
  new Error(`the provider ${executable} does not serve: ${why}`);

function addressOf(attachments: Readonly<Record<string, unknown>>): ProviderAddress | undefined {
  const [attachment] = Object.values(attachments);
  const found = isRecord(attachment) ? attachment["Addr"] : undefined;
  const { Network: network, String: address } = isRecord(found) ? found : {};
  if (typeof address !== "string") return undefined;
  return { network: network === "tcp" ? "tcp" : "unix", address };
}
