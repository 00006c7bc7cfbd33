import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  readPublicKey,
  isPublicKeyError,
} from "../../../../../src/core/signing/sigstore/certificate/public-key";
import {
  readTrustedRoot,
  isTrustError,
} from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import {
  isVerified,
  type VerificationRules,
  attempt,
  demand,
  type Verification,
} from "../../../../../src/core/signing/sigstore/verification/verification";
import { JsonFields, parseJson } from "../../../../../src/core/json/parse-json";
import { digestOf, sha256Hex } from "../../../../../src/core/signing/oci/reference/descriptor";
import { Certificate } from "../../../../../src/core/signing/sigstore/certificate/certificate";
import { readBundledEntry } from "../../../../../src/core/signing/sigstore/format/bundle";
import {
  envelopeOf,
  preAuthEncoding,
} from "../../../../../src/core/signing/sigstore/format/statement";
import { readLogBody } from "../../../../../src/core/signing/sigstore/format/log-body";
import {
  type SignedContent,
  verifyContent,
} from "../../../../../src/core/signing/sigstore/verification/signed-content";
import { checkStatement } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

/**
 * Sigstore's conformance suite: https://github.com/sigstore/sigstore-conformance. `SIGSTORE_CONFORMANCE` names a checkout:
 *
 *     SIGSTORE_CONFORMANCE=../sigstore-conformance npx jest conformance-outside
 */
const checkout = process.env["SIGSTORE_CONFORMANCE"];
const assets = checkout === undefined ? "" : join(checkout, "test", "assets", "bundle-verify");
const cases =
  checkout === undefined
    ? []
    : readdirSync(assets, { withFileTypes: true })
        .filter((each) => each.isDirectory())
        .map(({ name }) => name);

const defaults = {
  identity:
    "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main",
  issuer: "https://token.actions.githubusercontent.com",
};

(checkout === undefined ? test.skip.each([["SIGSTORE_CONFORMANCE is not set"]]) : test.each(cases))(
  "Sigstore's conformance suite: %s",
  (name) => {
    expect(verifies(join(assets, name))).toBe(!name.endsWith("_fail"));
  },
);

function verifies(folder: string): boolean {
  const optional = (name: string): Buffer | undefined =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : undefined;
  const text = (name: keyof typeof defaults) => optional(name)?.toString().trim() ?? defaults[name];
  const artifact = optional("artifact") ?? readFileSync(join(assets, "a.txt"));
  const key = optional("key.pub");
  try {
    const signer: VerificationRules["signer"] =
      key === undefined
        ? {
            identities: [
              { subject: { equals: text("identity") }, issuer: { equals: text("issuer") } },
            ],
          }
        : { key: { publicKey: readPublicKey(key.toString()) } };
    const trust = readTrustedRoot(optional("trusted_root.json") ?? publicRoot());
    const bundle = readFileSync(join(folder, "bundle.sigstore.json"));
    return isVerified(verifyAnyBundle(bundle, artifact, { trust, signer }));
  } catch (error) {
    if (isTrustError(error) || isPublicKeyError(error)) return false;
    throw error;
  }
}

/** The public instance's, as the client for it is delivered with it. */
function publicRoot(): Buffer {
  const seeds = JSON.parse(
    readFileSync(require.resolve("@sigstore/tuf/seeds.json"), "utf8"),
  ) as Record<string, { readonly targets: Readonly<Record<string, string>> }>;
  const [seed] = Object.values(seeds);
  return Buffer.from(seed?.targets["trusted_root.json"] ?? "", "base64");
}

/**
 * Verifies a bundle of any version as a signature or an attestation of a file, as Sigstore's suites and other verifiers do.
 * Trivet itself reads bundles about images. Beside the form of the bundle, all of it is Trivet's.
 */
function verifyAnyBundle(
  bytes: Uint8Array,
  artifact: Buffer,
  rules: VerificationRules,
): Verification {
  return attempt(() => {
    const bundle = JsonFields.of(parseJson(bytes), "bundle", [
      "mediaType",
      "verificationMaterial",
      "dsseEnvelope",
      "messageSignature",
    ]);
    const version = versionOf(bundle.string("mediaType"));
    const material = bundle.fields("verificationMaterial", [
      "certificate",
      "publicKey",
      "x509CertificateChain",
      "tlogEntries",
      "timestampVerificationData",
    ]);
    const entries = material.list("tlogEntries").map(readBundledEntry);
    for (const { kind, body } of entries) {
      demand(readLogBody(body).kind === kind, "TRANSPARENCY_LOG", "another kind than the bundle's");
    }
    const logs = new Set(entries.map(({ logId }) => logId.toString("hex")));
    demand(logs.size === entries.length, "TRANSPARENCY_LOG", "two entries of a log");
    const [logEntry, ...otherLogEntries] = entries;
    return verifyContent(
      {
        ...signedBytes(bundle, artifact),
        ...signerOf(material, version),
        logEntry,
        otherLogEntries,
        logKinds: ["hashedrekord/0.0.1", "hashedrekord/0.0.2", "dsse/0.0.1", "intoto/0.0.2"],
        logProof: version === 1 ? "optional" : "required",
        timestamps:
          material
            .optionalFields("timestampVerificationData", ["rfc3161Timestamps"])
            ?.list("rfc3161Timestamps", ["signedTimestamp"])
            .map((each) => each.base64("signedTimestamp")) ?? [],
      },
      rules,
    );
  });
}

function versionOf(mediaType: string): number {
  const [, old, current] =
    /^application\/vnd\.dev\.sigstore\.bundle(?:\+json;version=0\.([123])|\.v0\.(3)\+json)$/.exec(
      mediaType,
    ) ?? [];
  demand((old ?? current) !== undefined, "FORMAT", "an unknown version");
  return Number(old ?? current);
}

function signedBytes(
  bundle: JsonFields,
  artifact: Buffer,
): Pick<SignedContent, "bytes" | "payload" | "signature"> {
  if (bundle.has("dsseEnvelope")) {
    demand(!bundle.has("messageSignature"), "FORMAT", "two signatures");
    const { payloadType, payload, signature } = envelopeOf(
      bundle.fields("dsseEnvelope", ["payload", "payloadType", "signatures"]),
      ["sig", "keyid"],
    );
    checkStatement(payloadType, payload, digestOf(artifact));
    return { bytes: preAuthEncoding(payloadType, payload), payload, signature };
  }
  const message = bundle.fields("messageSignature", ["messageDigest", "signature"]);
  const digest = message.fields("messageDigest", ["algorithm", "digest"]);
  demand(
    digest.string("algorithm") === "SHA2_256" &&
      digest.base64("digest").toString("hex") === sha256Hex(artifact),
    "CLAIM",
    "about another file",
  );
  return { bytes: artifact, payload: artifact, signature: message.base64("signature") };
}

function signerOf(
  material: JsonFields,
  version: number,
): Pick<SignedContent, "certificate" | "chain"> {
  const kinds = ["certificate", "publicKey", "x509CertificateChain"];
  demand(kinds.filter((kind) => material.has(kind)).length === 1, "FORMAT", "not one signer");
  material.optionalFields("publicKey", ["hint"])?.optionalString("hint");
  if (material.has("publicKey")) return { certificate: undefined, chain: [] };
  if (material.has("certificate")) {
    const certificate = material.fields("certificate", ["rawBytes"]).base64("rawBytes");
    return { certificate, chain: [] };
  }
  demand(version < 3, "FORMAT", "a chain");
  const [leaf, ...others] = material
    .fields("x509CertificateChain", ["certificates"])
    .list("certificates", ["rawBytes"])
    .map((each) => each.base64("rawBytes"));
  demand(leaf !== undefined, "CERTIFICATE", "an empty chain");
  const chain = others.map((der) => new Certificate(der));
  demand(!chain.some(({ isSelfIssued }) => isSelfIssued), "CERTIFICATE", "a root in the chain");
  return { certificate: leaf, chain };
}
