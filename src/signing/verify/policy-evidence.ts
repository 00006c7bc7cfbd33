import { Attachments } from "../image/attachments";
import type { ImagePlace } from "../image/walk-images";
import type { Descriptor } from "../oci/protocol/descriptor";
import { ReadBudget } from "../oci/protocol/read-budget";
import type { Digest } from "../oci/reference/digest";
import { formatRepository } from "../oci/reference/repository";
import type { AttachmentPlace, PolicyEvidence } from "../policy/policy-evidence";
import type { BundlePurpose } from "../sigstore/verification/verify-bundle";
import { uncheckedAttachments } from "./unchecked";

/** Which image to find evidence for, and the means to read it. */
interface EvidenceSettings extends ImagePlace, Pick<PolicyEvidence, "trust"> {
  readonly digest: Digest;
  /** What an index lists. @default nothing */
  readonly entries?: readonly Descriptor[] | undefined;
}

/** Reads from registries what policies need to know about an image. All places share one budget. */
export function policyEvidence(settings: EvidenceSettings) {
  const { registry, repository: own, digest, trust, context, entries } = settings;
  const budget = new ReadBudget();
  const known = new Map<string, Attachments>();
  const at = ({ source }: AttachmentPlace): Attachments => {
    const repository = source?.repository ?? own;
    const name = formatRepository(repository);
    const found =
      known.get(name) ?? new Attachments({ registry, repository, context }, digest, budget);
    known.set(name, found);
    return found;
  };
  const find = (kind: BundlePurpose) => (place: AttachmentPlace) =>
    place.format === "legacy"
      ? at(place).layers(kind, place.source?.tagPrefix)
      : at(place).bundles();
  return {
    trust,
    context,
    /** Everything that exceeded the limits and was not read, as sentences without a full stop. */
    unread: () => [...new Set([...known.values()].flatMap(({ unread }) => unread))],
    signatures: find("signature"),
    attestations: find("attestation"),
    unchecked: (place: AttachmentPlace) => uncheckedAttachments(at(place), place.format, entries),
  } satisfies PolicyEvidence;
}
