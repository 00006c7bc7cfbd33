import type { LogRedactor } from "../records/log-redactor";
import { createLogger, type Environment } from "../records/logging";
import { protocolVersion } from "./connection/handshake";
import type { ProviderRoutes } from "./connection/provider-grpc";
import { startServer } from "./connection/provider-server";

/** The settings of {@link startReattach}. */
export interface ReattachOptions {
  /** The provider's source address, such as `trivet.local/trivet/ids`. */
  readonly source: string;
  readonly routes: ProviderRoutes;
  /** The environment from which TF_LOG and related variables are read. @default process.env */
  readonly env?: Environment | undefined;
  /** Redacts secrets in the log. @default a new one */
  readonly redactor?: LogRedactor | undefined;
  /** Called when the number of open connections changes. */
  readonly onConnections?: ((open: number) => void) | undefined;
}

/** A running provider that Terraform uses instead of starting one. */
export interface Reattached {
  /** The variable to add to Terraform's environment. */
  readonly env: { readonly TF_REATTACH_PROVIDERS: string };
  /** Stops serving and removes the socket. */
  readonly close: () => void;
}

/** Returns the name of a provider: the last part of its source address. */
export const nameOf = (source: string): string => source.slice(source.lastIndexOf("/") + 1);

/**
 * Serves a provider in this process, for tests and development.
 *
 * Each connection has its own settings: providers with an `alias`, or several Terraform commands, do
 * not disturb each other. Relative paths are relative to this process's working folder.
 *
 * Serves without TLS, on a socket that only this user can access. Terraform's `Shutdown` does not
 * end it. A test must run Terraform asynchronously: during `spawnSync`, this process cannot
 * respond.
 *
 * @see {@link https://developer.hashicorp.com/terraform/plugin/debugging}
 */
export async function startReattach(options: ReattachOptions): Promise<Reattached> {
  const { source, routes, env = process.env, redactor, onConnections } = options;
  const server = await startServer({
    routes,
    // A process that Terraform starts has one client. This one has as many as connect.
    isolated: true,
    env,
    tls: undefined,
    logger: createLogger({ name: nameOf(source), env, redactor }),
    onShutdown: () => undefined,
    onConnections,
  });
  server.prepare();
  const { network, address } = server.address;
  const attachment = {
    Protocol: "grpc",
    ProtocolVersion: protocolVersion,
    Pid: process.pid,
    Test: true,
    Addr: { Network: network, String: address },
  };
  return {
    env: { TF_REATTACH_PROVIDERS: JSON.stringify({ [source]: attachment }) },
    close: server.close,
  };
}
