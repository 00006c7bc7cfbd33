import { readFile, stat } from "node:fs/promises";
import type { PublicInstanceProps } from "./public-instance";
import {
  TrustError,
  type TrustMaterial,
  type CertificateAuthority,
  type TrustedLog,
} from "./trust-material";
import { readTrustedRoot } from "./trusted-root";
import { createHash, type KeyObject } from "node:crypto";
import { Certificate } from "../certificate/certificate";
import { DerError } from "../der/der-element";
import { usageOf } from "../certificate/extensions";
import { PublicKeyError, publicKeysOf } from "../certificate/public-key";

/** Where to find trusted certificates and keys. */
interface LoadTrustProps {
  /** The path or the content of a `trusted_root.json`. */
  readonly trustedRoot?: string | undefined;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Fetches the trusted root of the public instance. @default with The Update Framework */
  readonly publicInstance?: ((props: PublicInstanceProps) => Promise<TrustMaterial>) | undefined;
}

/**
 * Loads trusted certificates and keys, in this order:
 *
 * 1. What the `trusted_root.json` lists.
 * 2. For kinds that it does not list, the PEM files in the environment variables.
 * 3. Without a `trusted_root.json`, and without PEM files for the certificate authority or either log, the
 *    trusted root of the public instance. Timestamp authorities from the environment replace its own.
 *
 * A private instance never uses parts of the public one: what is missing is not trusted.
 *
 * @throws TrustError
 */
export async function loadTrust(props: LoadTrustProps): Promise<TrustMaterial> {
  const { trustedRoot, environment } = props;
  const named = await trustFromEnvironment(environment, readText);
  if (trustedRoot !== undefined) {
    return merge(named, readTrustedRoot(await documentText(trustedRoot)));
  }
  const isPrivate = named.certificateAuthorities ?? named.transparencyLogs ?? named.certificateLogs;
  if (isPrivate !== undefined) return merge(named, emptyTrust);
  return { ...(await fetchPublicInstance(props)), ...named };
}

async function fetchPublicInstance(props: LoadTrustProps): Promise<TrustMaterial> {
  const { environment, signal } = props;
  const fetch = props.publicInstance ?? (await import("./public-instance.js")).publicInstanceTrust;
  return fetch(publicInstanceProps(environment, signal));
}

/** How to fetch files of the public instance, as the environment says. Other tools use the same variables. */
export function publicInstanceProps(
  environment: Environment,
  signal: AbortSignal,
): PublicInstanceProps {
  const value = (name: string): string | undefined => {
    const text = environment[name];
    return text === "" ? undefined : text;
  };
  return {
    mirrorUrl: value("TUF_MIRROR"),
    rootPath: value("TUF_ROOT_JSON"),
    cacheFolder: value("TUF_ROOT"),
    signal,
  };
}

const emptyTrust: TrustMaterial = {
  certificateAuthorities: [],
  transparencyLogs: [],
  certificateLogs: [],
  timestampAuthorities: [],
};

function merge(named: Partial<TrustMaterial>, listed: TrustMaterial): TrustMaterial {
  const choose = <K extends keyof TrustMaterial>(kind: K): TrustMaterial[K] =>
    listed[kind].length > 0 ? listed[kind] : (named[kind] ?? listed[kind]);
  return {
    certificateAuthorities: choose("certificateAuthorities"),
    transparencyLogs: choose("transparencyLogs"),
    certificateLogs: choose("certificateLogs"),
    timestampAuthorities: choose("timestampAuthorities"),
  };
}

/**
 * The content of a document that is given as it is (an object in JSON), or as the path of a small file.
 *
 * @throws TrustError
 */
export function documentText(pathOrText: string): Promise<string> {
  return pathOrText.trimStart().startsWith("{")
    ? Promise.resolve(pathOrText)
    : readText(pathOrText);
}

// Far larger than any list of certificates.
const fileBytesMax = 4 * 1024 * 1024;

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= fileBytesMax) return await readFile(path, "utf8");
  } catch (error) {
    throw new TrustError("FILE", `the file ${JSON.stringify(path)} cannot be read`, error);
  }
  throw new TrustError("FILE", `the file ${JSON.stringify(path)} is larger than 4 MiB`);
}

/** The environment variables with paths of trusted PEM files. Other tools use the same variables. */
const trustVariables = {
  certificateAuthorities: "SIGSTORE_ROOT_FILE",
  transparencyLogs: "SIGSTORE_REKOR_PUBLIC_KEY",
  certificateLogs: "SIGSTORE_CT_LOG_PUBLIC_KEY_FILE",
  timestampAuthorities: "SIGSTORE_TSA_CERTIFICATE_FILE",
} as const satisfies Record<keyof TrustMaterial, string>;

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a small file as a string. */
type ReadText = (path: string) => Promise<string>;

/**
 * Reads the files in the environment variables. A kind without a variable is missing from the result.
 *
 * @throws TrustError
 */
export async function trustFromEnvironment(
  environment: Environment,
  readText: ReadText,
): Promise<Partial<TrustMaterial>> {
  const read = async <T>(
    kind: keyof TrustMaterial,
    parse: (pem: string) => T,
  ): Promise<Readonly<Record<string, T>>> => {
    const variable = trustVariables[kind];
    const path = environment[variable] ?? "";
    return path === "" ? {} : { [kind]: parsePem(variable, await readText(path), parse) };
  };
  return {
    ...(await read("certificateAuthorities", authoritiesOf)),
    ...(await read("transparencyLogs", logsOf)),
    ...(await read("certificateLogs", logsOf)),
    ...(await read("timestampAuthorities", authoritiesOf)),
  };
}

function parsePem<T>(variable: string, pem: string, parse: (pem: string) => T): T {
  try {
    return parse(pem);
  } catch (error) {
    if (error instanceof DerError || error instanceof PublicKeyError) {
      const problem = `the file in ${variable}: ${error.message}`;
      throw new TrustError("DOCUMENT", problem, error);
    }
    throw error;
  }
}

/** The anchors are the self-issued certificates; without any, the last certificate of the file. */
function authoritiesOf(pem: string): readonly CertificateAuthority[] {
  const certificates = Certificate.fromPem(pem);
  const roots = certificates.filter((each) => each.isSelfIssued && usageOf(each).isAuthority);
  const anchors = roots.length > 0 ? roots : certificates.slice(-1);
  if (anchors.length === 0) {
    throw new PublicKeyError("contains no certificate in PEM (-----BEGIN CERTIFICATE-----)");
  }
  const intermediates = certificates.filter((each) => !anchors.includes(each));
  return [{ anchors, intermediates, validity: {} }];
}

function logsOf(pem: string): readonly TrustedLog[] {
  const keys = publicKeysOf(pem);
  if (keys.length === 0) {
    throw new PublicKeyError("contains no public key in PEM (-----BEGIN PUBLIC KEY-----)");
  }
  return keys.map((publicKey) => ({ id: keyIdOf(publicKey), publicKey, validity: {} }));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash("sha256")
    .update(key.export({ format: "der", type: "spki" }))
    .digest();
}
