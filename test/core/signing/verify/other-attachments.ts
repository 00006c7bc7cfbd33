import { sign } from "node:crypto";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import {
  bundleStatement,
  inTotoPayloadType,
  preAuthEncoding,
  writeEnvelope,
} from "../../../../src/core/signing/sigstore/format/statement";
import { layerArtifacts } from "../../../../src/core/signing/sigstore/format/manifest";
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

/** Makes the images under the tags of an image referrers, as cosign writes them in its mode `oci-1-1`. */
export async function referInsteadOfTags(
  { registry, repository }: SigningBench,
  image: DigestReference,
  kinds: readonly (keyof typeof layerArtifacts)[],
  withArtifactType = true,
): Promise<void> {
  for (const kind of kinds) {
    const tag = tagOfDigest(image.digest, kind === "signature" ? ".sig" : ".att");
    const tagged = await registry.manifests.get(repository, tag, inTime());
    const subject = await registry.manifests.get(repository, image.digest, inTime());
    if (tagged === undefined || subject === undefined) throw new Error("nothing is signed");
    const { digest, mediaType, bytes } = subject;
    const type = layerArtifacts[kind];
    const json = {
      ...tagged.json,
      config: { ...(tagged.json["config"] as object), mediaType: type },
      ...(withArtifactType && { artifactType: type }),
      subject: { mediaType, digest, size: bytes.byteLength },
    };
    const referrer = { mediaType: tagged.mediaType, bytes: Buffer.from(JSON.stringify(json)) };
    await registry.referrers.add(repository, image.digest, referrer, inTime());
    await registry.manifests.remove(repository, tagged.digest, inTime());
  }
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
