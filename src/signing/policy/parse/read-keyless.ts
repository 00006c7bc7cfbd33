import { Certificate } from "../../sigstore/certificate/certificate";
import { usageOf } from "../../sigstore/certificate/usage";
import { DerError } from "../../sigstore/der/der-error";
import type { CertificateAuthority } from "../../sigstore/trust/trust-material";
import {
  IdentityPattern,
  IdentityPatternError,
} from "../../sigstore/verification/identity-pattern";
import type { IdentityRule, TextRule } from "../../sigstore/verification/identity-rule";
import type { PolicySigner } from "../policy";
import { quote, type PolicyFields } from "./policy-fields";
import { keyFields, readInlinePem } from "./read-key";
import { trustRootProblem } from "./unsupported";

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
