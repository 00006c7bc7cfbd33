// @ts-check
import { verify, X509Certificate } from "node:crypto";

/**
 * One signed statement about an image, as stored in the registry.
 *
 * @typedef {object} Signed
 * @property {"legacy" | "bundle"} format
 * @property {string} type "signature", or the type of the predicate
 * @property {string} about the digest of its subject
 * @property {string} signer as named in the certificate
 * @property {boolean} isSigned whether the certificate's key made the signature
 */

/** The predicate type of a bundle that contains only a signature. */
const SIGNATURE = "https://sigstore.dev/cosign/sign/v1";

/** @param {string} digest */
export const signatureTag = (digest) => `${digest.replace(":", "-")}.sig`;

/** @param {string} digest */
export const attestationTag = (digest) => `${digest.replace(":", "-")}.att`;

/**
 * The signed statements about an image. Each signature is verified with its certificate, using only
 * node:crypto. Whether the certificate is trusted is up to the policies.
 *
 * @param {import("./registry.mjs").Repository} repository
 * @param {string} digest
 * @returns {Promise<Signed[]>}
 */
export async function attachedTo(repository, digest) {
  /** @type {Signed[]} */
  const all = [];
  for (const [tag, read] of /** @type {const} */ ([
    [signatureTag(digest), readSignature],
    [attestationTag(digest), readAttestation],
  ])) {
    const layers = (await repository.find(tag))?.json.layers ?? [];
    for (const { digest: layer, annotations } of layers) {
      all.push(read(await repository.blob(layer), annotations));
    }
  }
  for (const referrer of await repository.referrers(digest)) {
    const [layer] = (await repository.find(referrer))?.json.layers ?? [];
    all.push(readBundle(JSON.parse(String(await repository.blob(layer.digest)))));
  }
  return all;
}

/**
 * @param {Buffer} payload
 * @param {Record<string, string>} annotations
 * @returns {Signed}
 */
function readSignature(payload, annotations) {
  const certificate = new X509Certificate(annotations["dev.sigstore.cosign/certificate"] ?? "");
  const signature = Buffer.from(annotations["dev.cosignproject.cosign/signature"] ?? "", "base64");
  return {
    format: "legacy",
    type: "signature",
    about: JSON.parse(String(payload)).critical.image["docker-manifest-digest"],
    signer: signerOf(certificate),
    isSigned: verify("sha256", payload, certificate.publicKey, signature),
  };
}

/**
 * @param {Buffer} layer
 * @param {Record<string, string>} annotations
 */
function readAttestation(layer, annotations) {
  const certificate = new X509Certificate(annotations["dev.sigstore.cosign/certificate"] ?? "");
  return readEnvelope("legacy", JSON.parse(String(layer)), certificate);
}

/** @param {any} bundle */
function readBundle({ verificationMaterial, dsseEnvelope }) {
  const { rawBytes } = verificationMaterial.certificate;
  return readEnvelope("bundle", dsseEnvelope, new X509Certificate(Buffer.from(rawBytes, "base64")));
}

/**
 * @param {Signed["format"]} format
 * @param {{ payload: string, payloadType: string, signatures: { sig: string }[] }} envelope
 * @param {X509Certificate} certificate
 * @returns {Signed}
 */
function readEnvelope(format, { payload, payloadType, signatures }, certificate) {
  const body = Buffer.from(payload, "base64");
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `;
  const signature = Buffer.from(signatures[0]?.sig ?? "", "base64");
  const { predicateType, subject } = JSON.parse(String(body));
  return {
    format,
    type: predicateType === SIGNATURE ? "signature" : predicateType,
    about: `sha256:${subject[0].digest.sha256}`,
    signer: signerOf(certificate),
    isSigned: verify(
      "sha256",
      Buffer.concat([Buffer.from(head), body]),
      certificate.publicKey,
      signature,
    ),
  };
}

/** @param {X509Certificate} certificate */
const signerOf = ({ subjectAltName = "" }) => subjectAltName.replace(/^(email|URI):/, "");
