import { RE2JS } from "re2js";
import { Certificate, usageOf } from "../../sigstore/certificate/certificate";
import { keyIdOf, readPublicKey, isPublicKeyError } from "../../sigstore/certificate/public-key";
import { isDerError } from "../../sigstore/der/der-element";
import { parseKmsUri } from "../../sigstore/key/key-reference";
import { authorityOf, type CertificateAuthority } from "../../sigstore/trust/trusted-root";
import type {
  IdentityRule,
  SignerHash,
  TextPattern,
  TextRule,
} from "../../sigstore/verification/verification";
import type { PolicySigner } from "../policy";
import { type PolicyFields, quote } from "./policy-fields";

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
    return { kind: "key", key: { publicKey, hash }, keyId: keyIdOf(publicKey).toString("hex") };
  } catch (error) {
    if (!isPublicKeyError(error)) throw error;
    fields.refuse("data", error.message);
    return undefined;
  }
}

/** Reads the URI of a key in a key-management service. Nothing is sent there yet. */
function readKms(fields: PolicyFields, hash: SignerHash | undefined): PolicySigner | undefined {
  const alone = "cannot be combined with kms, which refers to another key";
  for (const other of ["data", "secretRef"]) fields.refuseIfSet(other, alone);
  const uri = fields.string("kms");
  if (uri === undefined) return undefined;
  const parsed = parseKmsUri(uri);
  if (!("problem" in parsed)) return { kind: "kms", uri, hash };
  fields.refuse("kms", parsed.problem);
  return undefined;
}

/** Reads the PEM in `data`. The other sources of a key or certificate are not supported. */
function readInlinePem(fields: PolicyFields): string | undefined {
  for (const other of ["kms", "secretRef"]) {
    fields.refuseIfSet(other, "is not supported: put the PEM into data");
  }
  if (fields.has("kms") || fields.has("secretRef")) return undefined;
  const pem = fields.requiredString("data");
  if (pem === undefined) return undefined;
  const problem = pem.includes("PRIVATE KEY")
    ? "contains a private key: remove it from the policy, and use the public key"
    : pemProblem(pem);
  if (problem === undefined) return pem;
  fields.refuse("data", problem);
  return undefined;
}

/** Explains why a cluster would not read PEM; undefined if it would, or if there is none. */
export function pemProblem(pem: string): string | undefined {
  const marks = pem.split("\n").filter((line) => line.includes("-----"));
  const isWhole = marks.every((line) => /^-----(?:BEGIN|END) [A-Z0-9 ]+-----[ \t\r]*$/.test(line));
  if (isWhole) return undefined;
  return "must have each BEGIN and END of its PEM on a line of its own, without indentation";
}

export const keylessFields = "url identities ca-cert trustRootRef insecureIgnoreSCT".split(" ");

/** As in a cluster, the authority of a policy without one. */
const publicAuthority = "https://fulcio.sigstore.dev";

/** Reads the identities of a keyless signer; undefined if a problem was reported. */
export function readKeylessSigner(fields: PolicyFields): PolicySigner | undefined {
  if (fields.has("url") && fields.has("ca-cert")) {
    fields.report(fields.path, "must have at most one of url and ca-cert");
  }
  const isPublic = !["url", "ca-cert", "trustRootRef"].some((name) => fields.has(name));
  const certificateAuthorityUrl = isPublic ? new URL(publicAuthority) : fields.url("url");
  const certificateAuthority = readCertificateAuthority(fields);
  const ignoresLog = fields.boolean("insecureIgnoreSCT") === true;
  const identities = readIdentities(fields);
  if (identities === undefined) return undefined;
  const certificateLog = ignoresLog ? "ignored" : "required";
  const authority = { certificateAuthority, certificateAuthorityUrl };
  return { kind: "identity", identities, certificateLog, ...authority };
}

function readIdentities(fields: PolicyFields): readonly IdentityRule[] | undefined {
  const known = ["issuer", "issuerRegExp", "subject", "subjectRegExp"];
  const rules = fields.list("identities", known).map((identity) => ({
    subject: readStringRule(identity, "subject"),
    issuer: readStringRule(identity, "issuer"),
  }));
  if (fields.sizeOf("identities") === 0) {
    fields.refuse("identities", "must have at least one identity");
  }
  const complete = rules.flatMap(({ subject, issuer }) =>
    subject === undefined || issuer === undefined ? [] : [{ subject, issuer }],
  );
  return complete.length === 0 ? undefined : complete;
}

function readStringRule(fields: PolicyFields, exact: "subject" | "issuer"): TextRule | undefined {
  const pattern = `${exact}RegExp`;
  if (fields.has(exact) === fields.has(pattern)) {
    fields.report(fields.path, `must have exactly one of ${exact} and ${pattern}`);
  }
  const equals = fields.string(exact);
  const source = fields.string(pattern);
  if (equals !== undefined) return { equals };
  if (source === undefined) return undefined;
  const contains = re2Pattern(source);
  if (contains !== undefined) return { contains };
  fields.refuse(pattern, `must be a regular expression in RE2 syntax (got ${quote(source)})`);
  return undefined;
}

/**
 * Compiles an RE2 expression, which matches anywhere in a string unless it contains anchors; undefined if it is
 * not valid.
 */
function re2Pattern(source: string): TextPattern | undefined {
  try {
    const compiled = RE2JS.compile(source);
    return { source, isFoundIn: (text) => compiled.test(text) };
  } catch {
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
  return authorityOf(certificates, roots.length > 0 ? roots : certificates);
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
    if (isDerError(error)) return undefined;
    throw error;
  }
}
