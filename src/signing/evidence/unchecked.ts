import type { CallContext } from "../../http/call-context";
import type { Descriptor } from "../oci/protocol/descriptor";
import { RegistryError } from "../oci/protocol/registry-error";
import type { Digest } from "../oci/reference/digest";
import type { Repository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import { mayBeBundle } from "../attach/find-bundles";
import type { SignatureFormat } from "../policy/policy";
import type { Unchecked } from "../policy/policy-evidence";
import { annotation, isBundleType } from "../sigstore/format/names";
import { signPredicateType } from "../sigstore/format/statement";

interface Place {
  readonly registry: RegistryClient;
  readonly repository: Repository;
  readonly digest: Digest;
  /** The format that is checked. */
  readonly format: SignatureFormat;
  /** What an index lists. @default nothing */
  readonly entries?: readonly Descriptor[] | undefined;
  readonly context: CallContext;
}

// Far more than a message lists.
const maxFound = 500;

/**
 * Finds what is attached to an image in forms that are not checked: referrers that are no Sigstore bundles, what a builder
 * added to an index, and for the format `legacy` also bundles. Their types decide; nothing of them is read.
 *
 * The policy controller reads none of it either (f925c0c1), unless its experimental setting `enable-oci11` is set. It then
 * takes a referrer whose type contains `in-toto` for a verified attestation, whoever signed it.
 *
 * @returns nothing if the registry does not list them: it decides nothing
 * @throws RegistryError `DEADLINE`, `CANCELLED`
 */
export async function findUnchecked(place: Place): Promise<readonly Unchecked[]> {
  const parts = (place.entries ?? []).flatMap(partOf);
  const listed = await referrersOf(place);
  const bundles = listed.filter(({ artifactType }) => isBundleType(artifactType));
  const others = listed.filter((each) => !mayBeBundle(each));
  return [
    ...(place.format === "legacy" ? bundles.map(bundleOf) : []),
    ...parts,
    ...others.map(referrerOf),
  ].slice(0, maxFound);
}

async function referrersOf({
  registry,
  repository,
  digest,
  context,
}: Place): Promise<readonly Descriptor[]> {
  try {
    return (await registry.referrers.list(repository, digest, context)).referrers;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    if (error.code === "DEADLINE" || error.code === "CANCELLED") throw error;
    return [];
  }
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
