import { messageOf } from "../../../failure/failure";
import type { Environment } from "../../records/logging";
import type { ProviderRoutes } from "../../host/connection/provider-grpc";
import { startReattach } from "../../host/reattach";
import { isRecord, parseTrustedJson } from "../../../json/plain-json";
import { startServing } from "../../../process/serving-process";

/** A provider that a test serves in its own process, so that breakpoints and coverage work. */
export interface InProcessProvider {
  /** The provider's source address, such as `trivet.local/trivet/ids`. */
  readonly source: string;
  /** The result of `providerRoutes(definition)`. */
  readonly routes: ProviderRoutes;
}

/** A provider in a separate process, which serves all commands of a test. */
export interface ExecutableProvider {
  /** The provider's source address, such as `trivet.local/trivet/ids`. */
  readonly source: string;
  /** A provider that is built with this kit: the executable and its arguments. */
  readonly executable: ProviderCommand;
}

export type ProviderUnderTest = InProcessProvider | ExecutableProvider;

export interface ServedProvider {
  /** The content of TF_REATTACH_PROVIDERS, by source address. */
  readonly attachments: Readonly<Record<string, unknown>>;
  readonly close: () => void | Promise<void>;
}

/**
 * Serves a provider to any number of commands of Terraform.
 *
 * @param env the complete environment of a provider in a separate process
 */
export async function serveProvider(
  provider: ProviderUnderTest,
  env: Environment,
): Promise<ServedProvider> {
  if ("executable" in provider) return startWarmProcess(provider.executable, env);
  const { source, routes } = provider;
  const { env: added, close } = await startReattach({ source, routes, env });
  const attachments = parseTrustedJson(added.TF_REATTACH_PROVIDERS) as Readonly<
    Record<string, unknown>
  >;
  return { attachments, close };
}

/** The executable of a provider and its arguments, such as `["node", "build/provider.cjs"]`. */
export type ProviderCommand = readonly [string, ...string[]];

interface ProviderAddress {
  readonly network: "unix" | "tcp";
  readonly address: string;
}

/** A provider's process that serves any number of clients. */
export interface WarmProcess {
  /** The content of TF_REATTACH_PROVIDERS, by source address. */
  readonly attachments: Readonly<Record<string, unknown>>;
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
      throw notServing(executable, messageOf(cause));
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
