import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ProviderCalls } from "../core/resource-calls";
import { type Certificate, createCertificate } from "../host/connection/certificate";
import type { ProviderRoutes } from "../host/connection/provider-grpc";
import { startServer } from "../host/connection/provider-server";
import { createLogger, type Environment } from "../records/logging";
import { type CallOptions, createGrpcClient, type GrpcClient } from "../wire/grpc/grpc-client";
import { isGrpcError } from "../wire/grpc/grpc-headers";
import type { Message } from "../wire/grpc/protobuf";
import { pluginMethods } from "../wire/tfplugin6/plugin-services";
import { providerMethods } from "../wire/tfplugin6/tfplugin6";

/** A connection to a provider, like that of Terraform. */
export interface ProviderClient extends ProviderCalls {
  /** The underlying connection, for calls outside the protocol. */
  readonly grpc: GrpcClient;
  /**
   * Asks the provider's process to exit. As in Terraform, it is no error if the process exits before its
   * response is complete.
   */
  readonly shutdown: () => Promise<void>;
}

/** Creates a client for the plugin protocol on a connection. */
export function createProviderClient(grpc: GrpcClient): ProviderClient {
  const entries = Object.entries(providerMethods).map(
    ([name, method]) =>
      [name, method.kind === "unary" ? callOf(grpc, method) : streamOf(grpc, method)] as const,
  );
  return {
    // Object.entries loses the type of each entry, which is that of its method.
    ...(Object.fromEntries(entries) as unknown as ProviderCalls),
    grpc,
    shutdown: async () => {
      try {
        await callOf(grpc, pluginMethods.shutdown)({});
      } catch (error) {
        if (!(isGrpcError(error) && error.code === "UNAVAILABLE")) throw error;
      }
    },
  };
}

interface CalledMethod {
  readonly path: string;
  readonly request: Pick<Message<unknown, never>, "encode">;
  readonly response: Pick<Message<unknown, never>, "decode">;
}

function streamOf(grpc: GrpcClient, { path, request, response }: CalledMethod) {
  return async function* (message: unknown, options?: CallOptions): AsyncGenerator {
    const events = grpc.serverStream(path, request.encode(message as never), options);
    for await (const event of events) yield response.decode(event);
  };
}

function callOf(grpc: GrpcClient, { path, request, response }: CalledMethod) {
  return async (message: unknown, options?: CallOptions): Promise<unknown> =>
    response.decode(await grpc.unary(path, request.encode(message as never), options));
}

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
