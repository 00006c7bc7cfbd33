import { type Socket, connect } from "node:net";
import { connect as connectTls } from "node:tls";

import { type Certificate, createCertificate } from "../host/connection/certificate";
import type { Environment } from "../host/log/log-level";
import { createLogger } from "../host/log/logging";
import type { ProviderRoutes } from "../host/connection/provider-grpc";
import { startServer } from "../host/connection/provider-server";
import { createGrpcClient } from "../wire/grpc/grpc-client";
import { type ProviderClient, createProviderClient } from "./provider-client";

export interface StartProviderOptions {
  /** Mutual TLS, as between Terraform and a provider. @default false */
  readonly tls?: boolean | undefined;
  /** Where TF_LOG and its kin are read. @default process.env */
  readonly env?: Environment | undefined;
  /** Takes the log. @default standard error */
  readonly onLog?: ((line: string) => void) | undefined;
}

/** A provider that runs in this process, with a client connected to it. */
export interface StartedProvider extends ProviderClient {
  /** Ends the connection and the server. */
  readonly close: () => void;
}

/**
 * Serves a provider in this process and connects to it over a real socket.
 *
 * `shutdown` is answered without ending the process; call `close` when the test is done.
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

/** Opens a socket to where a provider listens, with mutual TLS or without. */
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
