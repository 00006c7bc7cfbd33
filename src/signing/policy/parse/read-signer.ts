import { createHash } from "node:crypto";
import { parseKmsUri } from "../../sigstore/key/key-reference";
import { readPublicKey, PublicKeyError } from "../../sigstore/certificate/public-key";
import type {
  SignerHash,
  IdentityRule,
  TextRule,
  TextPattern,
} from "../../sigstore/verification/verification";
import type { PolicySigner } from "../policy";
import { type PolicyFields, quote, trustRootProblem } from "./policy-fields";
import { Certificate } from "../../sigstore/certificate/certificate";
import { usageOf } from "../../sigstore/certificate/extensions";
import { DerError } from "../../sigstore/der/der-element";
import type { CertificateAuthority } from "../../sigstore/trust/trust-material";
import { RE2JS } from "re2js";

/** The fields of a key or certificate. */
export const keyFields = ["data", "kms", "secretRef", "hashAlgorithm"] as const;

const hashes = ["sha256", "sha224", "sha384", "sha512"] as const satisfies readonly SignerHash[];

/** Reads the key of a required signer; undefined if a problem was reported. */
export function readKeySigner(fields: PolicyFields): PolicySigner | undefined {
  const hash = fields.oneOf("hashAlgorithm", hashes);
  if (fields.has("kms")) return readKms(fields, hash);
  const pem = readInlinePem(fields);
  if (pem === undefined) return undefined;
  try {
    const publicKey = readPublicKey(pem);
    const der = publicKey.export({ type: "spki", format: "der" });
    const keyId = createHash("sha256").update(der).digest("hex");
    return { kind: "key", key: { publicKey, hash }, keyId };
  } catch (error) {
    if (!(error instanceof PublicKeyError)) throw error;
    fields.refuse("data", error.message);
    return undefined;
  }
}

/** Reads the URI of a key in a key-management service. Nothing is sent there yet. */
function readKms(fields: PolicyFields, hash: SignerHash | undefined): PolicySigner | undefined {
  const alone = "cannot be combined with kms, which names another key";
  for (const other of ["data", "secretRef"]) fields.refuseIfSet(other, alone);
  const uri = fields.string("kms");
  if (uri === undefined) return undefined;
  const parsed = parseKmsUri(uri);
  if (!("problem" in parsed)) return { kind: "kms", uri, hash };
  fields.refuse("kms", parsed.problem);
  return undefined;
}

/** Reads the PEM in `data`. The other sources of a key or certificate are not supported. */
export function readInlinePem(fields: PolicyFields): string | undefined {
  const elsewhere = "is not supported: put the PEM into data";
  fields.refuseIfSet("kms", elsewhere);
  fields.refuseIfSet("secretRef", elsewhere);
  if (fields.has("kms") || fields.has("secretRef")) return undefined;
  const pem = fields.requiredString("data");
  if (pem === undefined) return undefined;
  if (!pem.includes("PRIVATE KEY")) return pem;
  fields.refuse(
    "data",
    "contains a private key: remove it from the policy, and use the public key",
  );
  return undefined;
}

/** The fields of a keyless authority. */
export const keylessFields = [
  "url",
  "identities",
  "ca-cert",
  "trustRootRef",
  "insecureIgnoreSCT",
] as const;

/** Reads the identities of a keyless signer; undefined if a problem was reported. */
export function readKeylessSigner(fields: PolicyFields): PolicySigner | undefined {
  fields.refuseIfSet("trustRootRef", trustRootProblem);
  if (fields.has("url") === fields.has("ca-cert") && !fields.has("trustRootRef")) {
    fields.report(fields.path, "must have exactly one of url and ca-cert");
  }
  const certificateAuthorityUrl = fields.url("url");
  const certificateAuthority = readCertificateAuthority(fields);
  const ignoresLog = fields.boolean("insecureIgnoreSCT") === true;
  const identities = readIdentities(fields);
  if (identities === undefined) return undefined;
  const certificateLog = ignoresLog ? "ignored" : "required";
  return {
    kind: "identity",
    identities,
    certificateLog,
    certificateAuthority,
    certificateAuthorityUrl,
  };
}

function readIdentities(fields: PolicyFields): readonly IdentityRule[] | undefined {
  const known = ["issuer", "issuerRegExp", "subject", "subjectRegExp"];
  const rules = fields.list("identities", known).map((identity) => ({
    subject: readStringRule(identity, "subject", "subjectRegExp"),
    issuer: readStringRule(identity, "issuer", "issuerRegExp"),
  }));
  if (fields.sizeOf("identities") === 0) {
    fields.refuse("identities", "must have at least one identity");
  }
  const complete: IdentityRule[] = [];
  for (const { subject, issuer } of rules) {
    if (subject !== undefined && issuer !== undefined) complete.push({ subject, issuer });
  }
  return complete.length === 0 ? undefined : complete;
}

function readStringRule(
  fields: PolicyFields,
  exact: string,
  pattern: string,
): TextRule | undefined {
  if (fields.has(exact) === fields.has(pattern)) {
    fields.report(fields.path, `must have exactly one of ${exact} and ${pattern}`);
  }
  const equals = fields.string(exact);
  const source = fields.string(pattern);
  if (equals !== undefined) return { equals };
  if (source === undefined) return undefined;
  try {
    return { contains: new IdentityPattern(source) };
  } catch (error) {
    if (!(error instanceof IdentityPatternError)) throw error;
    fields.refuse(pattern, `must be a regular expression in RE2 syntax (got ${quote(source)})`);
    return undefined;
  }
}

/** Root certificates are the trust anchors; without a root, all certificates are. */
function readCertificateAuthority(fields: PolicyFields): CertificateAuthority | undefined {
  const source = fields.fields("ca-cert", keyFields);
  if (source === undefined) return undefined;
  source.refuseIfSet("hashAlgorithm", "cannot be used with a certificate");
  const pem = readInlinePem(source);
  if (pem === undefined) return undefined;
  const certificates = certificatesOf(pem);
  if (certificates === undefined) {
    source.refuse("data", "must contain only certificates of certificate authorities, in PEM");
    return undefined;
  }
  const roots = certificates.filter(({ isSelfIssued }) => isSelfIssued);
  const rest = certificates.filter(({ isSelfIssued }) => !isSelfIssued);
  return roots.length === 0
    ? { anchors: rest, intermediates: [], validity: {} }
    : { anchors: roots, intermediates: rest, validity: {} };
}

function certificatesOf(pem: string): readonly Certificate[] | undefined {
  try {
    const certificates = Certificate.fromPem(pem);
    const blocks = pem.match(/-----BEGIN/g) ?? [];
    const isWhole = certificates.length > 0 && blocks.length === certificates.length;
    return isWhole && certificates.every((each) => usageOf(each).isAuthority)
      ? certificates
      : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/**
 * A compiled RE2 expression. It matches anywhere in a string, unless it contains anchors.
 *
 * Only policies need it: signing does not load the library.
 */
export class IdentityPattern implements TextPattern {
  readonly #compiled: RE2JS;

  /** @throws IdentityPatternError if the source is not a valid RE2 expression */
  constructor(readonly source: string) {
    try {
      this.#compiled = RE2JS.compile(source);
    } catch (error) {
      throw new IdentityPatternError(source, error);
    }
  }

  /** Whether a string contains a match. */
  isFoundIn(text: string): boolean {
    return this.#compiled.test(text);
  }
}

/** The source of a pattern is not a valid RE2 expression. */
export class IdentityPatternError extends Error {
  override readonly name = "IdentityPatternError";

  constructor(source: string, cause: unknown) {
    super(`${JSON.stringify(source)} is not a valid RE2 regular expression`, { cause });
  }
}
