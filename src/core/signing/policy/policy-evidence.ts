import type { KeyObject } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import { type AttachedItem, Attachments, isFinal, mayBeBundle } from "../image/attachments";
import type { ImagePlace } from "../image/walk-images";
import type { Descriptor, Digest } from "../oci/reference/descriptor";
import { ReadBudget } from "../oci/registry/manifests";
import { formatRepository } from "../oci/reference/image-name";
import {
  annotation,
  isBundleType,
  layerArtifacts,
  notationType,
} from "../sigstore/format/manifest";
import { signPredicateType } from "../sigstore/format/statement";
import type { TrustMaterial } from "../sigstore/trust/trusted-root";
import type { EvaluateProgram } from "./engine/run-engine";
import type { SignatureFormat, SigningAuthority } from "./policy";
import type { BundlePurpose } from "../sigstore/verification/verify-attached";

export type AttachmentPlace = Pick<SigningAuthority, "format" | "source">;

export type Candidate = Pick<AttachedItem, "label" | "claimedType" | "read">;

/** The means to read what policies need to know. They are used only when a policy needs them, once for each place. */
export interface PolicyEvidence {
  /** The call, which can end between two verifications. */
  readonly context: CallContext;
  readonly trust: () => Promise<TrustMaterial>;
  /**
   * Fetches the public key of a key in a key-management service.
   *
   * @param uri such as `awskms:///alias/releases`
   * @default refuses
   */
  readonly publicKey?: ((uri: string) => Promise<KeyObject>) | undefined;
  readonly signatures: (place: AttachmentPlace) => Promise<readonly Candidate[]>;
  readonly attestations: (place: AttachmentPlace) => Promise<readonly Candidate[]>;
  /**
   * Finds what is attached to the image in forms that are not checked, when an authority does not find what it requires.
   *
   * @default nothing
   */
  readonly unchecked?: ((place: AttachmentPlace) => Promise<readonly Unchecked[]>) | undefined;
  /** What was not read because of limits, as sentences without a full stop. @default nothing */
  readonly unread?: (() => readonly string[]) | undefined;
  /** Reads the configuration of the image, or of each image in an index, by their platforms. @default refuses */
  readonly configurations?: (() => Promise<Readonly<Record<string, object>>>) | undefined;
  /** Evaluates a policy in CUE or Rego. @default refuses */
  readonly evaluate?: EvaluateProgram | undefined;
}

/** What is attached to an image in a form that is not checked. */
export interface Unchecked {
  readonly label: string;
  readonly code: "UNCHECKED";
  readonly problem: string;
  /** Which it claims to be; undefined if it may be either. */
  readonly kind: "signature" | "attestation" | undefined;
}

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
    unchecked: (place: AttachmentPlace) => findUnchecked(at(place), place.format, entries),
  } satisfies PolicyEvidence;
}

/** The same evidence, each part of it read once. */
export function readOnce(evidence: PolicyEvidence): PolicyEvidence {
  return {
    ...evidence,
    trust: once(evidence.trust),
    publicKey: evidence.publicKey && once(evidence.publicKey),
    signatures: once(evidence.signatures),
    attestations: once(evidence.attestations),
    unchecked: evidence.unchecked && once(evidence.unchecked),
    configurations: evidence.configurations && once(evidence.configurations),
  };
}

function once<Of extends readonly unknown[], T>(
  read: (...of: Of) => Promise<T>,
): (...of: Of) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (...of) => {
    const name = JSON.stringify(of);
    const known = results.get(name) ?? read(...of);
    results.set(name, known);
    return known;
  };
}

// Far more than a message lists.
const maxFound = 500;

/**
 * Finds what is attached to an image in forms that are not checked: referrers other than Sigstore bundles, what a builder
 * added to an index, and what has the other format. Their types decide; their content is not read.
 *
 * The policy controller (f925c0c1) does not read it either, unless its experimental setting `enable-oci11` is set. It then
 * takes a referrer whose type contains `in-toto` for a verified attestation, whoever signed it.
 *
 * @param entries what an index lists
 * @returns nothing if the registry does not list them: they do not decide anything
 * @throws RegistryError `DEADLINE`, `CANCELLED`
 */
async function findUnchecked(
  attachments: Attachments,
  format: SignatureFormat,
  entries: readonly Descriptor[] = [],
): Promise<readonly Unchecked[]> {
  const listed = await attachments.listed().then(
    ({ referrers }) => referrers,
    (error: unknown) => {
      if (isFinal(error)) throw error;
      return [];
    },
  );
  const bundles = listed.filter(({ artifactType }) => isBundleType(artifactType));
  const layers = listed.flatMap(layersOf);
  const others = listed.filter((each) => !mayBeBundle(each) && layersOf(each).length === 0);
  return [
    ...(format === "legacy" ? bundles.map(bundleOf) : layers),
    ...entries.flatMap(partOf),
    ...others.map(referrerOf),
  ].slice(0, maxFound);
}

/** A legacy signature or attestation that refers to the image. */
function layersOf({ digest, artifactType }: Descriptor): readonly Unchecked[] {
  const kinds = ["signature", "attestation"] as const;
  return kinds
    .filter((kind) => layerArtifacts[kind] === artifactType)
    .map((kind) => ({
      kind,
      label: `the referrer ${digest}`,
      code: "UNCHECKED",
      problem:
        "is not checked: it has the format legacy, but the authority's signatureFormat is bundle",
    }));
}

function referrerOf({ digest, artifactType = "" }: Descriptor): Unchecked {
  return {
    kind: artifactType === notationType ? "signature" : "attestation",
    label: `the referrer ${digest}`,
    code: "UNCHECKED",
    problem: `is ${nameOf(artifactType)}, which is not checked`,
  };
}

function bundleOf({ digest, annotations = {} }: Descriptor): Unchecked {
  const { [annotation.bundlePredicateType]: type } = annotations;
  const kind = type === signPredicateType ? "signature" : "attestation";
  return {
    kind: type === undefined ? undefined : kind,
    label: `the bundle ${digest}`,
    code: "UNCHECKED",
    problem:
      "is not checked: it has the format bundle, but the authority's signatureFormat is legacy",
  };
}

function nameOf(type: string): string {
  if (type === notationType) return `a signature by Notation (${type})`;
  return type.includes("in-toto")
    ? `an attestation outside of a Sigstore bundle (${type})`
    : `an artifact of the type ${type}`;
}

function partOf({ digest, annotations = {} }: Descriptor): readonly Unchecked[] {
  const { "vnd.docker.reference.type": type, "vnd.docker.reference.digest": about = "an image" } =
    annotations;
  if (type !== "attestation-manifest") return [];
  const problem = `contains attestations of ${about} by its builder, which are not checked`;
  const label = `the attestation manifest ${digest}`;
  return [{ kind: "attestation", label, code: "UNCHECKED", problem }];
}
