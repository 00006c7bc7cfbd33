import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { firstLine, type ProcessEnd } from "../../process/serving-process";
import { type Certificate, createCertificate, toPem } from "../host/connection/certificate";
import { magicCookie, protocolVersion } from "../host/connection/handshake";
import type { Environment } from "../records/logging";
import { createGrpcClient } from "../wire/grpc/grpc-client";
import { type ProviderClient, createProviderClient, openSocket } from "./provider-client";

/** The handshake line that a provider prints on standard output. */
export interface Handshake {
  readonly network: "unix" | "tcp";
  readonly address: string;
  /** The provider's certificate; undefined without TLS. */
  readonly serverCertificate: Buffer | undefined;
}

/** A provider that runs in a separate process, with a client connected to it. */
export interface SpawnedProvider extends ProviderClient {
  readonly process: ChildProcessWithoutNullStreams;
  readonly handshake: Handshake;
  /** The client certificate that the provider accepts. */
  readonly clientCertificate: Certificate;
  /** Returns what the provider has written to standard error so far. */
  readonly stderr: () => string;
  /** Resolves when the process has exited. */
  readonly exited: Promise<ProcessEnd>;
  /** Ends the process if it is still running. */
  readonly close: () => Promise<void>;
}

const terminationMs = 2000;

/**
 * Starts a provider as Terraform does, with magic cookie and client certificate, and connects to it.
 *
 * @param command the executable and its arguments
 * @param env added to the environment of this process; undefined removes a variable
 * @throws Error with its standard error output when it exits before the handshake, or with its first line when that is
 *   not a handshake
 */
export async function spawnProvider(
  command: readonly [string, ...string[]],
  env: Environment = {},
): Promise<SpawnedProvider> {
  const clientCertificate = createCertificate();
  const [executable, ...args] = command;
  const child = spawn(executable, args, {
    stdio: "pipe",
    env: { ...process.env, ...terraformEnvironment(clientCertificate), ...env },
  });
  const errors: Buffer[] = [];
  child.stderr.on("data", (piece: Buffer) => errors.push(piece));
  const stderr = (): string => Buffer.concat(errors).toString();
  const exited = new Promise<ProcessEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal });
    });
  });
  const handshake = await Promise.race([
    firstLine(child.stdout).then(parseHandshake),
    exited.then(({ code }) => {
      throw new Error(`The provider exited with code ${String(code)}: ${stderr()}`);
    }),
  ]).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  const server = handshake.serverCertificate;
  const grpc = createGrpcClient(
    openSocket(
      handshake,
      server && { certificate: clientCertificate, server: toPem("CERTIFICATE", server) },
    ),
  );
  const close = async (): Promise<void> => {
    grpc.close();
    child.kill("SIGTERM");
    const impatience = setTimeout(() => child.kill("SIGKILL"), terminationMs);
    await exited;
    clearTimeout(impatience);
  };
  const client = createProviderClient(grpc);
  return { ...client, process: child, handshake, clientCertificate, stderr, exited, close };
}

/** The environment variables that Terraform sets for a provider that it starts. */
export function terraformEnvironment(clientCertificate: Certificate): Environment {
  return {
    ...magicCookie,
    PLUGIN_CLIENT_CERT: clientCertificate.pem,
    PLUGIN_PROTOCOL_VERSIONS: `5,${protocolVersion}`,
    PLUGIN_MIN_PORT: "10000",
    PLUGIN_MAX_PORT: "25000",
  };
}

/**
 * Parses a handshake line of go-plugin.
 *
 * @throws Error when the line is not a handshake of protocol 6
 * @see {@link https://github.com/hashicorp/go-plugin/blob/main/docs/internals.md}
 */
export function parseHandshake(line: string): Handshake {
  const match = /^1\|6\|(unix|tcp)\|([^|]+)\|grpc\|([A-Za-z0-9+/]*)$/.exec(line);
  const [, network, address, certificate] = match ?? [];
  if (address === undefined) throw new Error(`not a handshake line: ${JSON.stringify(line)}`);
  return {
    network: network === "tcp" ? "tcp" : "unix",
    address,
    serverCertificate: certificate ? Buffer.from(certificate, "base64") : undefined,
  };
}
