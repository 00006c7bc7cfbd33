import { listedBundle, mayBeBundle } from "../attach/find-bundles";
import type { CallContext } from "../../http/call-context";
import { tagOfDigest, type Digest } from "../oci/reference/digest";
import { formatRepository, type Repository } from "../oci/reference/repository";
import { annotation, signingTypes } from "../sigstore/format/names";
import type { AttachmentPlace, Candidate, PolicyEvidence } from "../policy/policy-evidence";
import type { Attached } from "../image/verify-attached";
import { isAboutContent, RegistryError } from "../oci/protocol/registry-error";
import { maxAttachedBytes, ReadBudget } from "../oci/protocol/read-budget";
import { readDescriptor, type Descriptor } from "../oci/protocol/descriptor";
import type { RegistryClient } from "../oci/registry/client";
import type { BlobName } from "../oci/registry/blobs";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { VerificationProblem } from "../sigstore/verification/verification";
import { findUnchecked } from "./unchecked";

/** Which image to find evidence for, and the means to read it. */
interface EvidenceSettings {
  readonly registry: RegistryClient;
  readonly repository: Repository;
  readonly digest: Digest;
  /** What an index lists. @default nothing */
  readonly entries?: readonly Descriptor[] | undefined;
  readonly trust: () => Promise<TrustMaterial>;
  readonly context: CallContext;
  /** @default a new one */
  readonly budget?: ReadBudget | undefined;
}

/** The evidence about an image in the registry, for policies. */
interface RegistryEvidence extends PolicyEvidence {
  readonly signatures: (place: AttachmentPlace) => Promise<Candidates>;
  readonly attestations: (place: AttachmentPlace) => Promise<Candidates>;
  /** Everything that exceeded the limits and was not read, as sentences without a full stop. */
  readonly unread: () => readonly string[];
}

/** The state that all reads of one verification share. */
interface Reading extends EvidenceSettings {
  readonly budget: ReadBudget;
  readonly unread: Set<string>;
  /** Content that was read or is being read. Signatures of one image have the same payload. */
  readonly blobs: Map<string, Promise<Buffer | VerificationProblem>>;
  /** How many signatures and attestations were too large for the rest of the budget. */
  overBudget: number;
}

/** A candidate with the digest of its layer or manifest; undefined if it is listed without one. */
type AttachedCandidate = Candidate & { readonly digest?: Digest | undefined };
type Candidates = readonly AttachedCandidate[];

// Far more signatures than any image has.
const maxCandidates = 500;

/**
 * Reads from the registry what policies need to know about an image.
 *
 * First come types and sizes, from lists and manifests. Content is read one piece at a time, when a policy
 * wants its type, the smallest first, and at most {@link maxAttachedBytes} in total. It is kept for the
 * other policies.
 */
export function policyEvidence(settings: EvidenceSettings): RegistryEvidence {
  const { trust, context, budget = new ReadBudget() } = settings;
  const notes = new Set<string>();
  const reading: Reading = { ...settings, budget, unread: notes, blobs: new Map(), overBudget: 0 };
  const find = (place: AttachmentPlace, suffix: ".sig" | ".att") =>
    place.format === "legacy"
      ? layersAt(reading, place, suffix)
      : bundlesOf(reading, place.source?.repository ?? settings.repository);
  return {
    trust,
    context,
    unread: () => [
      ...reading.unread,
      ...(reading.overBudget > 0
        ? [`${limit}, so ${reading.overBudget} of them were not read`]
        : []),
    ],
    signatures: (place) => find(place, ".sig"),
    attestations: (place) => find(place, ".att"),
    unchecked: ({ source, format }) => {
      const repository = source?.repository ?? settings.repository;
      return findUnchecked({ ...settings, repository, format });
    },
  };
}

const layerTypes = {
  ".sig": signingTypes.simpleSigning,
  ".att": signingTypes.dsseEnvelope,
} as const;

async function layersAt(
  reading: Reading,
  { source }: AttachmentPlace,
  suffix: ".sig" | ".att",
): Promise<Candidates> {
  const { registry, repository, digest, context } = reading;
  const place = source?.repository ?? repository;
  const tag = `${source?.tagPrefix ?? ""}${tagOfDigest(digest, suffix)}`;
  const manifest = await registry.manifests.get(place, tag, context);
  if (manifest === undefined) return [];
  const { layers } = manifest.json;
  if (!Array.isArray(layers)) {
    return [broken(`the tag ${tag}`, "contains no signatures or attestations")];
  }
  const useless: AttachedCandidate[] = [];
  const useful: Unread[] = [];
  layers.forEach((entry: unknown, index) => {
    const layer = readDescriptor(entry);
    const label = `the layer ${layer?.digest ?? `number ${index + 1}`} of the tag ${tag}`;
    if (layer === undefined) {
      useless.push(broken(label, "has no media type, sha256 digest or size"));
      return;
    }
    const { mediaType, annotations = {} } = layer;
    if (mediaType !== layerTypes[suffix]) {
      useless.push(broken(label, `does not have the type ${layerTypes[suffix]}`, layer.digest));
      return;
    }
    useful.push({
      label,
      digest: layer.digest,
      place,
      blob: layer,
      claimedType: suffix === ".att" ? annotations[annotation.predicateType] : undefined,
      content: (blob) => ({ kind: "layer", layer: { mediaType, blob, annotations } }),
    });
  });
  return [...bounded(reading, `${formatRepository(place)}:${tag}`, useful), ...useless];
}

async function bundlesOf(reading: Reading, repository: Repository): Promise<Candidates> {
  const { registry, digest, context, budget, unread } = reading;
  const useless: AttachedCandidate[] = [];
  const useful: Unread[] = [];
  const visited = await registry.referrers.visit(repository, digest, context, {
    budget,
    wanted: mayBeBundle,
    visit({ manifest }) {
      const bundle = listedBundle(manifest);
      if (bundle === undefined) return;
      const { claimedType, layer: blob } = bundle;
      const label = `the bundle ${bundle.digest}`;
      if (blob === undefined) {
        useless.push(broken(label, "the bundle's manifest has no single layer", bundle.digest));
        return;
      }
      const content = (bytes: Buffer): Attached => ({ kind: "bundle", bytes });
      const { digest: manifestDigest } = bundle;
      useful.push({ label, digest: manifestDigest, claimedType, place: repository, blob, content });
    },
  });
  for (const each of visited.broken) {
    useless.push(broken(`the referrer ${each.digest}`, each.problem, each.digest));
  }
  if (visited.unread !== undefined) unread.add(visited.unread);
  const place = `the referrers of ${formatRepository(repository)}@${digest}`;
  return [...bounded(reading, place, useful), ...useless];
}

/** A candidate whose content is not read yet. */
interface Unread {
  readonly label: string;
  readonly digest: Digest;
  readonly claimedType: string | undefined;
  readonly place: Repository;
  readonly blob: BlobName;
  readonly content: (bytes: Buffer) => Attached;
}

/** The smallest candidates, up to the limit. */
function bounded(reading: Reading, place: string, items: readonly Unread[]): Candidates {
  if (items.length > maxCandidates) {
    reading.unread.add(
      `${place} has ${items.length} signatures or attestations, and only the smallest ${maxCandidates} were read`,
    );
  }
  return items
    .toSorted((a, b) => a.blob.size - b.blob.size)
    .slice(0, maxCandidates)
    .map((item) => {
      const { label, digest, claimedType } = item;
      return { label, digest, claimedType, read: () => read(reading, item) };
    });
}

const limit =
  `at most ${maxAttachedBytes / 1024 / 1024} MiB of signatures and attestations are read, ` +
  "the smallest first";

/** Reads a candidate when it is verified. The content is kept: the budget limits all that is kept. */
async function read(
  reading: Reading,
  { place, blob, content }: Unread,
): Promise<Attached | VerificationProblem> {
  const key = JSON.stringify([formatRepository(place), blob.digest, blob.size]);
  const known = reading.blobs.get(key) ?? readBlob(reading, place, blob);
  reading.blobs.set(key, known);
  const found = await known;
  return "problem" in found ? found : content(found);
}

/** Missing or broken content is a problem of the candidate; a failure of the registry is an error. */
async function readBlob(
  reading: Reading,
  place: Repository,
  blob: BlobName,
): Promise<Buffer | VerificationProblem> {
  const { registry, context, budget } = reading;
  if (!budget.take(blob.size)) {
    reading.overBudget++;
    return { code: "FORMAT", problem: `has ${blob.size} bytes and was not read: ${limit}` };
  }
  try {
    return await registry.blobs.get(place, blob, context);
  } catch (error) {
    if (!(error instanceof RegistryError) || !isAboutContent(error)) throw error;
    return { code: "FORMAT", problem: error.message };
  }
}

function broken(label: string, problem: string, digest?: Digest): AttachedCandidate {
  return { label, digest, read: () => Promise.resolve({ code: "FORMAT", problem }) };
}
