import { readFile, stat } from "node:fs/promises";
import type { PublicInstanceProps } from "./public-instance";
import { TrustError } from "./trust-error";
import { trustFromEnvironment, type Environment } from "./trust-environment";
import type { TrustMaterial } from "./trust-material";
import { readTrustedRoot } from "./trusted-root";

export interface LoadTrustProps {
  /** The path of a `trusted_root.json`, or its text. */
  readonly trustedRoot?: string | undefined;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Asks the public instance. @default by The Update Framework */
  readonly publicInstance?: ((props: PublicInstanceProps) => Promise<TrustMaterial>) | undefined;
}

/**
 * Whom to trust, by this precedence:
 *
 * 1. Kinds that the given document lists, as it lists them.
 * 2. Kinds that it does not list: the PEM file that the environment names.
 * 3. Without a document, and without a PEM file for the authority or either log: the public instance,
 *    with the time-stamp authorities of the environment, if it names any.
 *
 * A private instance never gets missing parts from the public one: what is missing is not trusted.
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
  if (isPrivate !== undefined) return merge(named, nobody);
  return { ...(await askPublicInstance(props)), ...named };
}

async function askPublicInstance(props: LoadTrustProps): Promise<TrustMaterial> {
  const { environment, signal } = props;
  const ask = props.publicInstance ?? (await import("./public-instance.js")).publicInstanceTrust;
  return ask({
    mirrorUrl: environment["TUF_MIRROR"],
    rootPath: environment["TUF_ROOT_JSON"],
    signal,
  });
}

const nobody: TrustMaterial = {
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

function documentText(pathOrText: string): Promise<string> {
  return pathOrText.trimStart().startsWith("{")
    ? Promise.resolve(pathOrText)
    : readText(pathOrText);
}

/** Far more than any list of certificates takes. */
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
