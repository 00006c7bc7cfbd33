import type { Environment } from "../../host/log/log-level";
import type { ProviderRoutes } from "../../host/connection/provider-grpc";
import { startReattach } from "../../host/reattach";
import { type ProviderCommand, startWarmProcess } from "./warm-process";
import { parseTrustedJson } from "../../../json/plain-json";

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

/** A provider to test. */
export type ProviderUnderTest = InProcessProvider | ExecutableProvider;

/** A running provider. */
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
