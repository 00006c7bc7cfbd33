import type { CallContext } from "../../http/call-context";
import { tagOfDigest, type Digest } from "../oci/reference/digest";
import { formatRepository, type Repository } from "../oci/reference/repository";
import { isBundleType, signingTypes } from "../sigstore/format/signing-types";
import type { LegacyLayer } from "../sigstore/format/legacy-layer";
import type { AttachmentPlace, Candidate, PolicyEvidence } from "../policy/evaluate-policies";
import { readDescriptor, readDescriptors } from "../oci/protocol/read-descriptor";
import type { RegistryClient } from "../oci/registry/client";
import { RegistryError } from "../oci/protocol/registry-error";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { VerificationProblem } from "../sigstore/verification/verification";
import { nextTurn } from "../sigstore/verification/next-turn";
import { verifyBundle } from "../sigstore/verification/verify-bundle";
import {
  verifyAttestationLayer,
  verifySignatureLayer,
} from "../sigstore/verification/verify-layer";

/** Something attached to an image: a layer of a legacy signature or attestation, or a bundle. */
export type Attached =
  | { readonly kind: "layer"; readonly layer: LegacyLayer }
  | { readonly kind: "bundle"; readonly bytes: Buffer };

/** Which image to find evidence for, and the means to read it. */
export interface EvidenceSettings {
  readonly registry: RegistryClient;
  readonly repository: Repository;
  readonly digest: Digest;
  readonly trust: () => Promise<TrustMaterial>;
  readonly context: CallContext;
}

// Far more signatures than any image has. The verdict reports that the rest was not read.
const maxCandidates = 500;

/** Reads from the registry what policies need to know about an image. */
export function policyEvidence(settings: EvidenceSettings): PolicyEvidence<Attached, Attached> {
  const { digest, trust, context } = settings;
  const find = (place: AttachmentPlace, suffix: ".sig" | ".att") =>
    place.format === "legacy"
      ? layersAt(settings, place, suffix)
      : bundlesOf(settings, place.source?.repository ?? settings.repository);
  return {
    trust,
    signatures: (place) => find(place, ".sig"),
    attestations: (place) => find(place, ".att"),
    async verifySignature(found, rules) {
      await nextTurn(context);
      return found.kind === "layer"
        ? verifySignatureLayer(found.layer, digest, rules)
        : verifyBundle(found.bytes, digest, "signature", rules);
    },
    async verifyAttestation(found, rules) {
      await nextTurn(context);
      return found.kind === "layer"
        ? verifyAttestationLayer(found.layer, digest, rules)
        : verifyBundle(found.bytes, digest, "attestation", rules);
    },
  };
}

async function layersAt(
  { registry, repository, digest, context }: EvidenceSettings,
  { source }: AttachmentPlace,
  suffix: ".sig" | ".att",
): Promise<readonly Candidate<Attached>[]> {
  const place = source?.repository ?? repository;
  const tag = `${source?.tagPrefix ?? ""}${tagOfDigest(digest, suffix)}`;
  const manifest = await registry.manifests.get(place, tag, context);
  if (manifest === undefined) return [];
  const { layers } = manifest.json;
  const descriptors = readDescriptors(Array.isArray(layers) ? layers : []);
  return limited(descriptors, `${formatRepository(place)}:${tag}`, async (layer) => {
    const { mediaType, annotations = {} } = layer;
    const label = `the layer ${layer.digest} of the tag ${tag}`;
    return read(label, async () => {
      const blob = await registry.blobs.get(place, layer, context);
      return { kind: "layer", layer: { mediaType, blob, annotations } };
    });
  });
}

async function bundlesOf(
  { registry, digest, context }: EvidenceSettings,
  repository: Repository,
): Promise<readonly Candidate<Attached>[]> {
  const { found } = await registry.referrers.read(
    repository,
    digest,
    context,
    // Some registries list the media type of the configuration instead of the bundle's type.
    ({ artifactType: type }) =>
      type === undefined || isBundleType(type) || type === signingTypes.emptyConfig,
  );
  const bundles = found.filter(({ manifest: { json } }) => {
    const type = json["artifactType"];
    return typeof type === "string" && isBundleType(type);
  });
  const place = `the referrers of ${formatRepository(repository)}@${digest}`;
  return limited(bundles, place, ({ manifest }) => {
    const label = `the bundle ${manifest.digest}`;
    return read(label, async () => {
      const { layers } = manifest.json;
      const layer = Array.isArray(layers) && layers.length === 1 && readDescriptor(layers[0]);
      if (!layer) return { code: "FORMAT", problem: "the bundle's manifest has no single layer" };
      return { kind: "bundle", bytes: await registry.blobs.get(repository, layer, context) };
    });
  });
}

async function limited<T>(
  items: readonly T[],
  place: string,
  candidate: (item: T) => Promise<Candidate<Attached>>,
): Promise<readonly Candidate<Attached>[]> {
  const candidates: Candidate<Attached>[] = [];
  for (const item of items.slice(0, maxCandidates)) candidates.push(await candidate(item));
  if (items.length > maxCandidates) {
    const problem = `has ${items.length} of them, and only the first ${maxCandidates} are checked`;
    candidates.push({ label: place, content: { code: "FORMAT", problem } });
  }
  return candidates;
}

/** Reports missing or broken content as a problem of the candidate; a registry failure is an error. */
async function read(
  label: string,
  content: () => Promise<Attached | VerificationProblem>,
): Promise<Candidate<Attached>> {
  try {
    return { label, content: await content() };
  } catch (error) {
    const isBroken =
      error instanceof RegistryError &&
      ["NOT_FOUND", "WRONG_CONTENT", "TOO_LARGE", "MALFORMED_ANSWER"].includes(error.code);
    if (!isBroken) throw error;
    return { label, content: { code: "FORMAT", problem: error.message } };
  }
}
