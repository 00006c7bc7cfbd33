import { sign } from "node:crypto";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import {
  bundleStatement,
  inTotoPayloadType,
  preAuthEncoding,
  writeEnvelope,
} from "../../../../src/core/signing/sigstore/format/statement";
import type { KeyPair } from "../policy/policy-texts";
import { inTime, type SigningBench } from "../sign/signing-bench";

/** Attaches something to an image as a referrer, as `oras attach` does. */
export async function attachArtifact(
  { registry, repository }: SigningBench,
  subject: DigestReference,
  artifactType: string,
  { bytes, mediaType }: { readonly bytes: Buffer; readonly mediaType: string },
) {
  const context = inTime();
  const layer = await registry.uploads.put(repository, bytes, context);
  const config = await registry.uploads.put(repository, Buffer.from("{}"), context);
  const image = await registry.manifests.get(repository, subject.digest, context);
  if (image === undefined) throw new Error("there is no image");
  const manifestType = "application/vnd.oci.image.manifest.v1+json";
  const json = {
    schemaVersion: 2,
    mediaType: manifestType,
    artifactType,
    config: { ...config, mediaType: "application/vnd.oci.empty.v1+json" },
    layers: [{ ...layer, mediaType }],
    subject: {
      mediaType: image.mediaType,
      digest: image.digest,
      size: image.bytes.byteLength,
    },
  };
  const referrer = {
    mediaType: manifestType,
    bytes: Buffer.from(JSON.stringify(json)),
    artifactType,
  };
  return registry.referrers.add(repository, subject.digest, referrer, context);
}

/** Attaches an attestation as Google Cloud Build does: an envelope, signed with a key, and no bundle. */
export function attachEnvelope(
  bench: SigningBench,
  subject: DigestReference,
  { privateKey }: KeyPair,
  { type: predicateType, predicate }: { readonly type: string; readonly predicate: object },
) {
  const { digest } = subject;
  const payload = bundleStatement({ digest, predicateType, predicate: { ...predicate } });
  const signature = sign("sha256", preAuthEncoding(inTotoPayloadType, payload), privateKey);
  const bytes = writeEnvelope({ payloadType: inTotoPayloadType, payload, signature });
  const content = { bytes, mediaType: "application/vnd.in-toto+json" };
  return attachArtifact(bench, subject, "application/vnd.in-toto+json", content);
}
