import { fromPem } from "./certificate";
import type { Environment } from "../log/log-level";

/** The version of the plugin protocol that the kit speaks. */
export const protocolVersion = 6;

const coreVersion = 1;
const cookieName = "TF_PLUGIN_MAGIC_COOKIE";

/** What Terraform's environment must hold for a program to be one of its plugins. */
export const magicCookie = {
  [cookieName]: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

/** How Terraform wants to be served. */
export interface Invitation {
  /** The only certificate that a client may show; undefined when TLS is switched off. */
  readonly clientCertificate: Buffer | undefined;
}

/** Why a program does not serve. */
export interface Refusal {
  readonly reason: "not-a-plugin" | "wrong-protocol" | "no-certificate" | "bad-certificate";
  readonly text: string;
}

/** Reads from the environment whether and how Terraform asks to be served. */
export function readInvitation(env: Environment): Invitation | Refusal {
  if (env[cookieName] !== magicCookie[cookieName]) {
    return { reason: "not-a-plugin", text: `${cookieName} is not set as Terraform sets it.` };
  }
  const versions = env["PLUGIN_PROTOCOL_VERSIONS"];
  if (versions?.split(",").some((version) => Number(version) === protocolVersion) !== true) {
    return {
      reason: "wrong-protocol",
      text:
        `This provider speaks version ${protocolVersion} of Terraform's plugin protocol; the caller offers ` +
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
      reason: "bad-certificate",
      text: "PLUGIN_CLIENT_CERT holds no certificate in PEM form, so nobody could be let in.",
    };
  }
  const tlsDisabled = env["TF_DISABLE_PLUGIN_TLS"];
  if (tlsDisabled !== undefined && tlsDisabled !== "") return { clientCertificate: undefined };
  return {
    reason: "no-certificate",
    text:
      "The caller names no client certificate (PLUGIN_CLIENT_CERT), so it could not be told from " +
      "any other process. To serve without TLS all the same, set TF_DISABLE_PLUGIN_TLS=1.",
  };
}

/** The line on stdout that tells Terraform where the provider listens. */
export function handshakeLine(
  network: "unix" | "tcp",
  address: string,
  certificate: Buffer | undefined,
): string {
  const encoded = certificate?.toString("base64").replace(/=+$/, "") ?? "";
  return `${coreVersion}|${protocolVersion}|${network}|${address}|grpc|${encoded}\n`;
}
