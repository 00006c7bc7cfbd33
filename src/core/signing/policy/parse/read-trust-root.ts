import { fromBase64 } from "../../../json/parse-json";
import { isJsonObject, type JsonValue } from "../../../json/plain-json";
import { Certificate } from "../../sigstore/certificate/certificate";
import { keyIdOf, readPublicKey, isPublicKeyError } from "../../sigstore/certificate/public-key";
import { isDerError } from "../../sigstore/der/der-element";
import {
  authorityOf,
  type CertificateAuthority,
  type TrustedLog,
  type TrustMaterial,
} from "../../sigstore/trust/trusted-root";
import { metadataFields, PolicyFields, type Report } from "./policy-fields";
import { pemProblem } from "./read-signer";

/** The TrustRoots of the documents, by their names; undefined for one with a problem, which was reported. */
export type TrustRoots = ReadonlyMap<string, TrustMaterial | undefined>;

/** True for a document with certificates and keys, to which policies refer. */
export const isTrustRoot = (document: JsonValue): boolean =>
  isJsonObject(document) &&
  document["kind"] === "TrustRoot" &&
  document["apiVersion"] === "policy.sigstore.dev/v1alpha1";

/** Reads a TrustRoot with keys and certificates; undefined, or without them, if a problem was reported. */
export function readTrustRoot(
  document: JsonValue,
  report: Report,
): { readonly name: string; readonly trust: TrustMaterial | undefined } | undefined {
  const known = ["apiVersion", "kind", "metadata", "spec", "status"];
  const fields = PolicyFields.of(document, "", report, known);
  if (fields?.has("metadata") === false) fields.refuse("metadata.name", "is missing");
  const name = fields?.fields("metadata", metadataFields)?.requiredString("name");
  if (fields?.has("spec") === false) fields.refuse("spec", "is missing");
  const spec = fields?.fields("spec", ["sigstoreKeys", "remote", "repository"]);
  for (const elsewhere of ["remote", "repository"]) {
    spec?.refuseIfSet(
      elsewhere,
      "is a TUF repository, which is not read here: put the certificates and keys into sigstoreKeys, or omit the TrustRoot and set them on the provider",
    );
  }
  if (spec?.names().length === 0) spec.refuse("sigstoreKeys", "is missing");
  const keys = spec?.fields("sigstoreKeys", [
    "certificateAuthorities",
    "tLogs",
    "ctLogs",
    "timestampAuthorities",
  ]);
  if (name === undefined) return undefined;
  if (keys === undefined) return { name, trust: undefined };
  const authorities = (list: string) =>
    keys.list(list, ["subject", "uri", "certChain"]).flatMap((each) => readAuthority(each) ?? []);
  const logs = (list: string) =>
    keys
      .list(list, ["baseURL", "hashAlgorithm", "publicKey"])
      .flatMap((each) => readLog(each) ?? []);
  const trust = {
    certificateAuthorities: authorities("certificateAuthorities"),
    transparencyLogs: logs("tLogs"),
    certificateLogs: logs("ctLogs"),
    timestampAuthorities: authorities("timestampAuthorities"),
  };
  return { name, trust };
}

function readAuthority(fields: PolicyFields): CertificateAuthority | undefined {
  fields.fields("subject", ["organization", "commonName"]);
  const uri = fields.url("uri", "https://")?.href;
  const pem = readPem(fields, "certChain");
  if (pem === undefined) return undefined;
  const chain = explained(fields, "certChain", () => Certificate.fromPem(pem)) ?? [];
  const anchors = chain.filter(({ isSelfIssued }) => isSelfIssued);
  if (anchors.length === 0) {
    fields.refuse("certChain", "must end with a root certificate, which is issued by itself");
    return undefined;
  }
  return { ...authorityOf(chain, anchors), uri };
}

function readLog(fields: PolicyFields): TrustedLog | undefined {
  const baseUrl = fields.url("baseURL")?.href;
  fields.string("hashAlgorithm");
  const pem = readPem(fields, "publicKey");
  if (pem === undefined) return undefined;
  const publicKey = explained(fields, "publicKey", () => readPublicKey(pem));
  return publicKey && { id: keyIdOf(publicKey), publicKey, baseUrl, validity: {} };
}

/** PEM in base64, as Kubernetes writes bytes. */
function readPem(fields: PolicyFields, name: string): string | undefined {
  const text = fields.requiredString(name);
  if (text === undefined) return undefined;
  const pem = fromBase64(text.replace(/\s+/g, ""))?.toString("utf8");
  const isPublic = pem?.includes("-----BEGIN ") === true && !pem.includes("PRIVATE KEY");
  const problem = isPublic
    ? pemProblem(pem)
    : "must be PEM in base64, of certificates or a public key";
  if (problem === undefined) return pem;
  fields.refuse(name, problem);
  return undefined;
}

function explained<T>(fields: PolicyFields, name: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isDerError(error) && !isPublicKeyError(error)) throw error;
    fields.refuse(name, error.message);
    return undefined;
  }
}

/** Reads a reference to a TrustRoot of the documents; undefined if there is none, or a problem was reported. */
export function readTrustRootRef(
  fields: PolicyFields,
  trustRoots: TrustRoots,
): TrustMaterial | undefined {
  const name = fields.string("trustRootRef");
  if (name === undefined) return undefined;
  if (!trustRoots.has(name)) {
    fields.refuse(
      "trustRootRef",
      "refers to a TrustRoot that is not in these documents: add it, or omit the field, and set the trusted certificates and keys on the provider",
    );
  }
  return trustRoots.get(name);
}
