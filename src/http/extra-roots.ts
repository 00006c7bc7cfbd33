import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";

/** What a connection needs to trust the extra root certificates of the environment. */
export interface TlsOptions {
  readonly secureContext?: SecureContext;
}

// Parsing about 300 certificates takes long, so all clients of a process share the result.
const contexts = new Map<string, SecureContext>();

/**
 * The TLS settings for the extra root certificates in NODE_EXTRA_CA_CERTS, or in TRIVET_EXTRA_CA_CERTS, as the
 * provider's launcher renames it. The certificates are parsed once in a process. Call this only for a connection
 * that uses TLS.
 */
export function tlsOptions(environment: Readonly<NodeJS.ProcessEnv>): TlsOptions {
  const { TRIVET_EXTRA_CA_CERTS: renamed = "", NODE_EXTRA_CA_CERTS: given = "" } = environment;
  const files = [...new Set([renamed, given])].filter((file) => file !== "");
  if (files.length === 0) return {};
  const key = JSON.stringify(files);
  let secureContext = contexts.get(key);
  if (secureContext === undefined) {
    secureContext = createSecureContext({ ca: [...rootCertificates, ...files.map(read)] });
    contexts.set(key, secureContext);
  }
  return { secureContext };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw Object.assign(
      new Error(`the root certificates in NODE_EXTRA_CA_CERTS cannot be read: ${file}`, {
        cause,
      }),
      { code: "EXTRA_CA_CERTS" },
    );
  }
}
