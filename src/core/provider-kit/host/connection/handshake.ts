import { fromPem } from "./certificate";
import type { Environment } from "../../records/logging";

/** The version of Terraform's plugin protocol that the kit supports. */
export const protocolVersion = 6;

const coreVersion = 1;
const cookieName = "TF_PLUGIN_MAGIC_COOKIE";

/** The environment variable that shows a program that Terraform started it as a plugin. */
export const magicCookie = {
  [cookieName]: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

/** The connection that Terraform expects. */
export interface Invitation {
  /** The only client certificate that is accepted, as DER; undefined when TLS is disabled. */
  readonly clientCertificate: Buffer | undefined;
}

/** The reason why the program does not serve, in full sentences. */
interface Refusal {
  readonly refusal: string;
}

/**
 * Reads from the environment which connection Terraform expects.
 *
 * @returns undefined if Terraform has not started the program
 * @see {@link https://github.com/hashicorp/go-plugin/blob/main/docs/internals.md}
 */
export function readInvitation(env: Environment): Invitation | Refusal | undefined {
  if (env[cookieName] !== magicCookie[cookieName]) return undefined;
  const versions = env["PLUGIN_PROTOCOL_VERSIONS"];
  if (versions?.split(",").some((version) => Number(version) === protocolVersion) !== true) {
    return {
      refusal:
        `This provider supports version ${protocolVersion} of Terraform's plugin protocol. The caller offers ` +
        `${versions === undefined ? "no version" : JSON.stringify(versions)} in PLUGIN_PROTOCOL_VERSIONS. ` +
        "Use Terraform 1.5 or newer, or OpenTofu.",
    };
  }
  return readClientCertificate(env);
}

function readClientCertificate(env: Environment): Invitation | Refusal {
  const pem = env["PLUGIN_CLIENT_CERT"];
  if (pem !== undefined && pem !== "") {
    const clientCertificate = fromPem(pem);
    if (clientCertificate !== undefined) return { clientCertificate };
    return {
      refusal:
        "PLUGIN_CLIENT_CERT must contain a certificate in PEM format. Without it, no client can be accepted.",
    };
  }
  const tlsDisabled = env["TF_DISABLE_PLUGIN_TLS"];
  if (tlsDisabled !== undefined && tlsDisabled !== "") return { clientCertificate: undefined };
  return {
    refusal:
      "The caller provides no client certificate (PLUGIN_CLIENT_CERT), so it cannot be distinguished from " +
      "any other process. To serve without TLS, set TF_DISABLE_PLUGIN_TLS=1.",
  };
}

/**
 * Formats the handshake line, which shows Terraform where the provider listens.
 *
 * @param certificate the server's certificate as DER; undefined without TLS
 * @see {@link https://github.com/hashicorp/go-plugin/blob/main/docs/internals.md}
 */
export function handshakeLine(
  network: "unix" | "tcp",
  address: string,
  certificate: Buffer | undefined,
): string {
  const encoded = certificate?.toString("base64").replace(/=+$/, "") ?? "";
  return `${coreVersion}|${protocolVersion}|${network}|${address}|grpc|${encoded}\n`;
}
