import { readFile, stat } from "node:fs/promises";
import type { PublicInstanceProps } from "./public-instance";
import { TrustError } from "./trust-error";
import { trustFromEnvironment, type Environment } from "./trust-environment";
import type { TrustMaterial } from "./trust-material";
import { readTrustedRoot } from "./trusted-root";

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
