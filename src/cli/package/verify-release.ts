import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseTrustedJson } from "../../core/json/plain-json";
import { sha256, packageHash, isPackageContentError } from "../provider-package/package-content";
import { systemErrorCode } from "../../core/process/system-error";
import { CommandError, ExitCode } from "../invocation/failure";
import { isVerified } from "../../core/signing/sigstore/verification/verification";
import { type BuiltPackage, isDevelopmentVersion } from "./built-package";

/** The type of the predicate that describes how a release was built. */
const provenanceType = "https://slsa.dev/provenance/v1";

/** The file with the checksum of each provider package, beside the packages of a release. */
const manifestName = "release.json";

/** The files that prove who made a release: both, or neither. */
interface ReleaseEvidence {
  /** The public key of the publisher, in PEM. */
  readonly key?: string | undefined;
  /** The attestation of the release's provenance, as a Sigstore bundle. */
  readonly attestation?: string | undefined;
}

/** How the packages were verified. */
export type VerifiedRelease =
  /** A development build, which has no manifest: its version is derived from its content. */
  | { readonly by: "nothing" }
  /** The packages have the checksums in the release's manifest. */
  | { readonly by: "checksums" }
  /** In addition, the manifest was attested with the key. `keyId` is the SHA-256 of the public key. */
  | { readonly by: "signature"; readonly keyId: string };

/**
 * Verifies that the packages of a release are complete and unchanged, and with a key, who made them.
 *
 * @param folder the folder with the packages
 * @throws CommandError if anything differs
 */
export async function verifyRelease(
  folder: string,
  packages: readonly BuiltPackage[],
  evidence: ReleaseEvidence,
): Promise<VerifiedRelease> {
  const files = filesOf(evidence);
  if (packages.every(({ version }) => isDevelopmentVersion(version))) {
    if (files === undefined) return { by: "nothing" };
    throw new CommandError(
      "The providers are a development build, which is not signed.",
      "Leave out --key and --attestation, or install a release.",
    );
  }
  const manifest = await readFile(join(folder, manifestName)).catch((cause: unknown) => {
    throw damaged(`${join(folder, manifestName)} cannot be read`, cause);
  });
  const keyId = files === undefined ? undefined : await signerOf(manifest, files);
  const hashes = hashesIn(manifest, join(folder, manifestName));
  for (const each of packages) {
    const found = await packageHash(each.folder).catch((cause: unknown) => {
      throw isPackageContentError(cause) ? damaged(cause.message, cause) : cause;
    });
    const expected = hashes[each.name];
    if (found !== expected) {
      throw damaged(
        `${each.folder} has the checksum ${found}, but ${each.name} ${each.version} must have ${String(expected)}`,
      );
    }
  }
  return keyId === undefined ? { by: "checksums" } : { by: "signature", keyId };
}

type Files = Readonly<Record<keyof ReleaseEvidence, string>>;

function filesOf({ key, attestation }: ReleaseEvidence): Files | undefined {
  if (key !== undefined && attestation !== undefined) return { key, attestation };
  if (key === undefined && attestation === undefined) return undefined;
  throw new CommandError(
    `The option ${key === undefined ? "--key" : "--attestation"} is missing: --key and --attestation belong together.`,
    "Pass --key release.pub --attestation trivet-VERSION.provenance.sigstore.json, or neither.",
    ExitCode.usage,
  );
}

const damaged = (problem: string, cause?: unknown): CommandError =>
  new CommandError(
    `The providers differ from the release: ${problem}.`,
    "Install the package again, for example with `npm ci`. If that does not help, do not use it, and report it.",
    undefined,
    { cause },
  );

function hashesIn(manifest: Buffer, file: string): Readonly<Record<string, unknown>> {
  try {
    const read = parseTrustedJson(manifest.toString("utf8"));
    if (isObject(read) && isObject(read["providers"])) return read["providers"];
  } catch (cause) {
    throw damaged(`${file} is not JSON`, cause);
  }
  throw damaged(`${file} lists no providers`);
}

/** Returns the ID of the key that attested the manifest. */
async function signerOf(manifest: Buffer, { key, attestation }: Files): Promise<string> {
  const bundle = await given("--attestation", attestation);
  const pem = (await given("--key", key)).toString("utf8");
  const { verifyFile } = await import("../../core/signing/file-attestation/verify-file.js");
  const result = verifyFile(bundle, `sha256:${sha256(manifest)}`, pem);
  if (isVerified(result)) {
    refuseOtherPredicate(result.statement.predicateType, attestation);
    return result.signer.kind === "key" ? result.signer.keyId : "";
  }
  throw new CommandError(
    `The signature of the release is not valid: ${attestation} does not verify with ${key} (${result.problem}).`,
    "Check that both files belong to this version and come from a source that you trust. If they do, do not use the " +
      "package, and report it.",
  );
}

/**
 * Refuses other statements that are signed with the same key, such as a bill of materials or a report about a
 * vulnerability.
 */
function refuseOtherPredicate(type: string, attestation: string): void {
  if (type === provenanceType) return;
  throw new CommandError(
    `${attestation} is not the provenance of the release: its predicate type is ${JSON.stringify(type)}, not "${provenanceType}".`,
    "Pass the file trivet-VERSION.provenance.sigstore.json of the release with --attestation.",
  );
}

async function given(option: string, file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    const reason = systemErrorCode(cause) ?? "unknown error";
    throw new CommandError(
      `The file of the option ${option} cannot be read: ${file} (${reason}).`,
      "Download it from the page of the release.",
      undefined,
      { cause },
    );
  });
}
