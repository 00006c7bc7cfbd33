import { type Socket, connect } from "node:net";
import { connect as connectTls } from "node:tls";

import { type Certificate, createCertificate } from "../host/connection/certificate";
import { createLogger, type Environment } from "../records/logging";
import type { ProviderRoutes } from "../host/connection/provider-grpc";
import { startServer } from "../host/connection/provider-server";
import { createGrpcClient } from "../wire/grpc/grpc-client";
import { type ProviderClient, createProviderClient } from "./provider-client";

/** The options of {@link startProvider}. */
export interface StartProviderOptions {
  /** Mutual TLS, as between Terraform and a provider. @default false */
  readonly tls?: boolean | undefined;
  /** The environment from which TF_LOG and related variables are read. @default process.env */
  readonly env?: Environment | undefined;
  /** Receives each line of the log. @default standard error */
  readonly onLog?: ((line: string) => void) | undefined;
}

/** A provider that runs in this process, with a client connected to it. */
export interface StartedProvider extends ProviderClient {
  /** Closes the connection and the server. */
  readonly close: () => void;
}

/**
 * Serves a provider in this process and connects to it over a real socket.
 *
 * `shutdown` succeeds without ending the process. Call `close` at the end of the test.
 */
export async function startProvider(
  routes: ProviderRoutes,
  { tls = false, env = process.env, onLog }: StartProviderOptions = {},
): Promise<StartedProvider> {
  const own = tls ? createCertificate() : undefined;
  const client = tls ? createCertificate() : undefined;
  const server = await startServer({
    routes,
    env,
    tls: own && client && { own, client: client.der },
    logger: createLogger({ name: "provider", env, write: onLog }),
    onShutdown: () => undefined,
  });
  const grpc = createGrpcClient(
    openSocket(server.address, client && own && { certificate: client, server: own.pem }),
  );
  return {
    ...createProviderClient(grpc),
    close: () => {
      grpc.close();
      server.close();
    },
  };
}

/** Connects to the address of a provider, with or without mutual TLS. */
export function openSocket(
  { network, address }: { readonly network: "unix" | "tcp"; readonly address: string },
  tls?: { readonly certificate: Certificate; readonly server: string },
): Socket {
  const port = Number(address.slice(address.lastIndexOf(":") + 1));
  const target = network === "unix" ? { path: address } : { host: "127.0.0.1", port };
  if (tls === undefined) return connect(target);
  return connectTls({
    ...target,
    servername: "localhost",
    ALPNProtocols: ["h2"],
    minVersion: "TLSv1.2",
    ca: [tls.server],
    cert: tls.certificate.pem,
    key: tls.certificate.keyPem,
  });
}
