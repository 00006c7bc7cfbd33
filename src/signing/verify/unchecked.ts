import { type Attachments, isFinal, mayBeBundle } from "../image/attachments";
import type { Descriptor } from "../oci/protocol/descriptor";
import type { SignatureFormat } from "../policy/policy";
import type { Unchecked } from "../policy/policy-evidence";
import { annotation, isBundleType, layerArtifacts } from "../sigstore/format/names";
import { signPredicateType } from "../sigstore/format/statement";

// Far more than a message lists.
const maxFound = 500;

/**
 * Finds what is attached to an image in forms that are not checked: referrers that are no Sigstore bundles, what a builder
 * added to an index, and what is of the other format. Their types decide; nothing of them is read.
 *
 * The policy controller reads none of it either (f925c0c1), unless its experimental setting `enable-oci11` is set. It then
 * takes a referrer whose type contains `in-toto` for a verified attestation, whoever signed it.
 *
 * @param entries what an index lists
 * @returns nothing if the registry does not list them: it decides nothing
 * @throws RegistryError `DEADLINE`, `CANCELLED`
 */
export async function uncheckedAttachments(
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
        "is not checked: it is of the format legacy, and the authority's signatureFormat is bundle",
    }));
}

const notationType = "application/vnd.cncf.notary.signature";

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
    problem: "is not checked: the authority's signatureFormat is legacy",
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
