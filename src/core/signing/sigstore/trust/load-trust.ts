import { isFileProblem, readGivenFile } from "../../../process/files";
import { Certificate, usageOf } from "../certificate/certificate";
import { keyIdOf, publicKeysOf, isPublicKeyError, publicKeyError } from "../certificate/public-key";
import { isDerError } from "../der/der-element";
import {
  authorityOf,
  type CertificateAuthority,
  type Environment,
  noTrust,
  type TrustedLog,
  type TrustMaterial,
  readTrustedRoots,
  trustError,
} from "./trusted-root";

interface LoadTrustProps {
  /** The path or the content of a `trusted_root.json`, or of several with one on each line. */
  readonly trustedRoot?: string | undefined;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Fetches the trusted root of the public instance. @default with The Update Framework */
  readonly publicInstance?:
    ((environment: Environment, signal: AbortSignal) => Promise<TrustMaterial>) | undefined;
}

/**
 * Loads trusted certificates and keys, in this order:
 *
 * 1. The contents of the `trusted_root.json`, or of several.
 * 2. For kinds that it lacks, the PEM files in the environment variables.
 * 3. Without a `trusted_root.json`, and without PEM files for the certificate authority or either log, the
 *    trusted root of the public instance. Timestamp authorities from the environment replace its own.
 *
 * A private instance never uses parts of the public one: what is missing is not trusted.
 *
 * @throws TrustError
 */
export async function loadTrust(props: LoadTrustProps): Promise<TrustMaterial> {
  const { trustedRoot, environment, signal } = props;
  const named = await trustFromEnvironment(environment);
  if (trustedRoot !== undefined) {
    return merge(named, readTrustedRoots(await documentText(trustedRoot)));
  }
  const isPrivate = named.certificateAuthorities ?? named.transparencyLogs ?? named.certificateLogs;
  if (isPrivate !== undefined) return { ...noTrust, ...named };
  const fetch = props.publicInstance ?? (await import("./public-instance.js")).publicInstanceTrust;
  return { ...(await fetch(environment, signal)), ...named };
}

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
 * Reads the files in environment variables. A kind without a variable is missing from the result. Other tools
 * use the same variables.
 */
async function trustFromEnvironment(environment: Environment): Promise<Partial<TrustMaterial>> {
  const read = async <K extends keyof TrustMaterial>(
    kind: K,
    variable: string,
    parse: (pem: string) => TrustMaterial[K],
  ): Promise<Partial<TrustMaterial>> => {
    const path = environment[variable] ?? "";
    return path === "" ? {} : { [kind]: parsePem(variable, await readText(path), parse) };
  };
  return {
    ...(await read("certificateAuthorities", "SIGSTORE_ROOT_FILE", authoritiesOf)),
    ...(await read("transparencyLogs", "SIGSTORE_REKOR_PUBLIC_KEY", logsOf)),
    ...(await read("certificateLogs", "SIGSTORE_CT_LOG_PUBLIC_KEY_FILE", logsOf)),
    ...(await read("timestampAuthorities", "SIGSTORE_TSA_CERTIFICATE_FILE", authoritiesOf)),
  };
}

function parsePem<T>(variable: string, pem: string, parse: (pem: string) => T): T {
  try {
    return parse(pem);
  } catch (error) {
    if (isDerError(error) || isPublicKeyError(error)) {
      const problem = `the file in ${variable}: ${error.message}`;
      throw trustError("DOCUMENT", problem, { cause: error });
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
    throw publicKeyError(
      "PUBLIC_KEY",
      "contains no certificate in PEM (-----BEGIN CERTIFICATE-----)",
    );
  }
  return [authorityOf(certificates, anchors)];
}

function logsOf(pem: string): readonly TrustedLog[] {
  const keys = publicKeysOf(pem);
  if (keys.length === 0) {
    throw publicKeyError(
      "PUBLIC_KEY",
      "contains no public key in PEM (-----BEGIN PUBLIC KEY-----)",
    );
  }
  return keys.map((publicKey) => ({ id: keyIdOf(publicKey), publicKey, validity: {} }));
}

/** Returns a document from its content (a JSON object), or from the path of a small file. @throws TrustError */
export async function documentText(pathOrText: string): Promise<string> {
  return pathOrText.trimStart().startsWith("{") ? pathOrText : readText(pathOrText);
}

// Far larger than any list of certificates.
const fileBytesMax = 4 * 1024 * 1024;

async function readText(path: string): Promise<string> {
  const bytes = await readGivenFile(path, fileBytesMax, "any").catch((error: unknown) => {
    if (!isFileProblem(error)) throw error;
    const problem = `the file ${JSON.stringify(path)} cannot be used: ${error.message}`;
    throw trustError("FILE", problem, { cause: error });
  });
  return bytes.toString("utf8");
}
