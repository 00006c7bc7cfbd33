import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../core/process/files";
import { hasCode } from "../../core/process/system-error";
import type { AuthorityChain } from "./certificate/authority-chain";
import type { NoteKey, SigningKey } from "./keys/signing-key";

/** Base URLs, without a slash at the end. */
export interface LocalSigningAddresses {
  readonly registry: string;
  readonly certificateAuthority: string;
  /** Versions 1 and 2 of the API, each with its own log. */
  readonly transparencyLog: string;
  /** The full URL to which requests are posted. */
  readonly timestampAuthority: string;
  readonly tokenIssuer: string;
}

/** Absolute paths. */
export interface LocalSigningFiles {
  readonly trustedRoot: string;
  /** The URLs, for tools that read them from a file (`--signing-config`). */
  readonly signingConfig: string;
  /** The same with version 2 of the transparency log (Rekor v2). */
  readonly signingConfigRekorV2: string;
  /** The certificates of the certificate authority, the intermediate first. */
  readonly certificateChain: string;
  readonly ctLogPublicKey: string;
  readonly transparencyLogPublicKey: string;
  readonly timestampChain: string;
  /** A valid token while the services run; readable only by its owner. */
  readonly identityToken: string;
  /** The reference of the sample image. Without one, the file does not exist. */
  readonly sampleImage: string;
  /** Shell script with `export` lines for `environment`. */
  readonly environment: string;
}

export interface TrustedParts {
  readonly addresses: LocalSigningAddresses;
  readonly certificateAuthority: AuthorityChain;
  readonly timestampAuthority: AuthorityChain;
  readonly ctLog: SigningKey;
  readonly transparencyLog: SigningKey;
  /** Version 2 of the log, at the same URL. */
  readonly tiledLog: NoteKey;
}

export function localFiles(folder: string): LocalSigningFiles {
  return {
    trustedRoot: join(folder, "trusted_root.json"),
    signingConfig: join(folder, "signing_config.json"),
    signingConfigRekorV2: join(folder, "signing_config_rekor_v2.json"),
    certificateChain: join(folder, "certificate-authority.pem"),
    ctLogPublicKey: join(folder, "ct-log.pub"),
    transparencyLogPublicKey: join(folder, "transparency-log.pub"),
    timestampChain: join(folder, "timestamp-authority.pem"),
    identityToken: join(folder, "identity-token"),
    sampleImage: join(folder, "sample-image"),
    environment: join(folder, "environment.sh"),
  };
}

/** Makes git ignore the folder, above all its keys. */
export async function ignoreContent(folder: string): Promise<void> {
  const keys = join(folder, "keys");
  await mkdir(folder, { recursive: true });
  await mkdir(keys, { recursive: true, mode: 0o700 });
  await writeFileAtomically(join(keys, ".gitignore"), "*\n");
  // The folder may belong to the user's project.
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch((failure: unknown) => {
    if (!hasCode(failure, "EEXIST")) throw failure;
  });
}

/** Writes all files except the token, and returns environment variables with their paths. */
export async function writeFiles(
  files: LocalSigningFiles,
  parts: TrustedParts,
): Promise<Readonly<Record<string, string>>> {
  const environment = {
    SIGSTORE_ROOT_FILE: files.certificateChain,
    SIGSTORE_CT_LOG_PUBLIC_KEY_FILE: files.ctLogPublicKey,
    SIGSTORE_REKOR_PUBLIC_KEY: files.transparencyLogPublicKey,
    SIGSTORE_TSA_CERTIFICATE_FILE: files.timestampChain,
  };
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}=${quote(value)}`,
  );
  const token = `export SIGSTORE_ID_TOKEN="$(cat ${quote(files.identityToken)})"`;
  await Promise.all([
    writeFileAtomically(files.trustedRoot, json(trustedRoot(parts))),
    writeFileAtomically(files.signingConfig, json(signingConfig(parts, 1))),
    writeFileAtomically(files.signingConfigRekorV2, json(signingConfig(parts, 2))),
    writeFileAtomically(files.certificateChain, parts.certificateAuthority.pem),
    writeFileAtomically(files.ctLogPublicKey, parts.ctLog.publicKeyPem),
    writeFileAtomically(files.transparencyLogPublicKey, parts.transparencyLog.publicKeyPem),
    writeFileAtomically(files.timestampChain, parts.timestampAuthority.pem),
    writeFileAtomically(files.environment, `${[...lines, token].join("\n")}\n`),
  ]);
  return environment;
}

/** The content of `trusted_root.json`: certificates and keys, and the time from which each is trusted. */
function trustedRoot(parts: TrustedParts): unknown {
  const { addresses, certificateAuthority, timestampAuthority } = parts;
  const start = certificateAuthority.notBefore.toISOString();
  const log = (baseUrl: string, key: SigningKey | NoteKey) => ({
    baseUrl,
    hashAlgorithm: "SHA2_256",
    publicKey: {
      rawBytes: key.spki.toString("base64"),
      keyDetails: "origin" in key ? "PKIX_ED25519" : "PKIX_ECDSA_P256_SHA_256",
      validFor: { start },
    },
    logId: { keyId: key.id.toString("base64") },
  });
  const authority = (uri: string, commonName: string, chain: AuthorityChain) => ({
    subject: { organization: "trivet.local", commonName },
    uri,
    certChain: {
      certificates: chain.certificates.map((der) => ({ rawBytes: der.toString("base64") })),
    },
    validFor: { start: chain.notBefore.toISOString() },
  });
  return {
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: [parts.transparencyLog, parts.tiledLog].map((key) =>
      log(addresses.transparencyLog, key),
    ),
    certificateAuthorities: [
      authority(
        addresses.certificateAuthority,
        "local certificate authority",
        certificateAuthority,
      ),
    ],
    ctlogs: [log(addresses.certificateAuthority, parts.ctLog)],
    timestampAuthorities: [
      authority(addresses.timestampAuthority, "local timestamp authority", timestampAuthority),
    ],
  };
}

/**
 * The content of `signing_config.json`: the URLs of the services.
 *
 * @param logVersion the version of the transparency log's API. The other services have version 1
 */
function signingConfig(parts: TrustedParts, logVersion: 1 | 2): unknown {
  const { addresses, certificateAuthority } = parts;
  const start = certificateAuthority.notBefore.toISOString();
  const services = (url: string, majorApiVersion = 1) => [
    { url, majorApiVersion, validFor: { start }, operator: "trivet.local" },
  ];
  return {
    mediaType: "application/vnd.dev.sigstore.signingconfig.v0.2+json",
    caUrls: services(addresses.certificateAuthority),
    oidcUrls: services(addresses.tokenIssuer),
    rekorTlogUrls: services(addresses.transparencyLog, logVersion),
    rekorTlogConfig: { selector: "ANY" },
    tsaUrls: services(addresses.timestampAuthority),
    tsaConfig: { selector: "ANY" },
  };
}

// Half the lifetime of a token.
const renewalMs = 5 * 60 * 1000;

/** Keeps a valid token in a file until the returned function is called. */
export async function keepTokenFresh(file: string, issue: () => string): Promise<() => void> {
  const write = () => writeFileAtomically(file, issue(), { mode: 0o600 });
  await write();
  const timer = setInterval(() => {
    // If the folder was removed, the next request for its content fails.
    write().catch(() => undefined);
  }, renewalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
