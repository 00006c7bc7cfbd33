import type { CallContext } from "../../http/call-context";
import { serverMessage } from "../../http/server-message";
import { tagOfDigest, type Digest } from "../oci/reference/digest";
import type { Descriptor } from "../oci/protocol/descriptor";
import type { ReadBudget } from "../oci/protocol/read-budget";
import { RegistryError } from "../oci/protocol/registry-error";
import type { Repository } from "../oci/reference/repository";
import type { RegistryClient } from "../oci/registry/client";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { nextTurn } from "../sigstore/verification/next-turn";
import { policyEvidence } from "../evidence/policy-evidence";
import type { AttachedItem, ImageTree } from "./image-tree";
import { problemReport, unchecked } from "./report-check";
import { reportItem } from "./report-item";

/** What the reads of one tree share. */
export interface TreeReading {
  readonly registry: RegistryClient;
  readonly repository: Repository;
  /** Undefined if it could not be loaded. */
  readonly trust: TrustMaterial | undefined;
  readonly context: CallContext;
  readonly budget: ReadBudget;
}

type Candidates = Awaited<ReturnType<ReturnType<typeof policyEvidence>["signatures"]>>;

/** What candidates are by their place. */
type Place = Pick<AttachedItem, "format"> & { readonly kind: "signature" | "attestation" };

// A registry may list far more than anyone reads.
const maxItems = 100;

const order = ["signature", "attestation", "artifact"] as const;

/**
 * Reads what is attached to one image: the layers under its tags, and its referrers.
 *
 * @throws RegistryError `DEADLINE`, `CANCELLED`; InterruptedError
 */
export async function readAttached(
  reading: TreeReading,
  digest: Digest,
): Promise<Pick<ImageTree, "attached" | "notes">> {
  const notes: string[] = [];
  /** At most so many as are shown. A place that cannot be read is a note. */
  const some = async <T>(what: string, read: Promise<readonly T[]>): Promise<readonly T[]> => {
    const all = await orNote(what, read, notes);
    const rest = all.length - maxItems;
    if (rest > 0) notes.push(`${rest} more ${what} were not read: the maximum is ${maxItems}.`);
    return all.slice(0, maxItems);
  };
  const trust = () => Promise.reject(new Error("a tree has its own trust"));
  const evidence = policyEvidence({ ...reading, digest, trust });
  const [legacy, bundle] = [{ format: "legacy" }, { format: "bundle" }] as const;
  const signatures = await some("signatures", evidence.signatures(legacy));
  const attestations = await some("attestations", evidence.attestations(legacy));
  const bundles = await some("bundles", evidence.signatures(bundle));
  const listed = orNote("referrers", referrersOf(reading, digest), []);
  const known = new Set(bundles.map((each) => each.digest));
  const others = (await listed).filter((each) => !known.has(each.digest));
  const attached = [
    ...(await describe(reading, digest, signatures, { ...legacy, kind: "signature" })),
    ...(await describe(reading, digest, attestations, { ...legacy, kind: "attestation" })),
    ...(await describe(reading, digest, bundles, { ...bundle, kind: "attestation" })),
    ...(await some("artifacts", Promise.resolve(others))).map(artifactOf),
    ...(await orNote("bill of materials", billOfMaterials(reading, digest), notes)),
  ].toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const unread = evidence.unread().map((each) => `Not everything was read: ${each}.`);
  return { attached, notes: [...notes, ...unread] };
}

async function orNote<T>(
  what: string,
  read: Promise<readonly T[]>,
  notes: string[],
): Promise<readonly T[]> {
  try {
    return await read;
  } catch (error) {
    const isOver = error instanceof RegistryError && overCodes.has(error.code);
    if (!(error instanceof RegistryError) || isOver) throw error;
    notes.push(`The ${what} cannot be read: ${serverMessage(error.message)}.`);
    return [];
  }
}

const overCodes: ReadonlySet<string> = new Set(["DEADLINE", "CANCELLED"]);

async function describe(
  { context, trust }: TreeReading,
  image: Digest,
  candidates: Candidates,
  { kind, format }: Place,
): Promise<readonly AttachedItem[]> {
  const items: AttachedItem[] = [];
  for (const candidate of candidates) {
    await nextTurn(context);
    const content = await candidate.read();
    const item =
      "problem" in content
        ? { kind, check: problemReport(content), logEntries: [], timestamps: [] }
        : reportItem(content, { kind, image, trust });
    items.push({ ...item, format, place: candidate.label, digest: candidate.digest });
  }
  return items;
}

async function referrersOf(
  { registry, repository, context }: TreeReading,
  digest: Digest,
): Promise<readonly Descriptor[]> {
  return (await registry.referrers.list(repository, digest, context)).referrers;
}

function artifactOf({ digest, artifactType, mediaType }: Descriptor): AttachedItem {
  return {
    kind: "artifact",
    format: "other",
    place: `the referrer ${digest}`,
    digest,
    type: serverMessage(artifactType ?? mediaType),
    check: unchecked("not a Sigstore bundle"),
    logEntries: [],
    timestamps: [],
  };
}

/** The artifact under the tag `.sbom`, which older tools write. */
async function billOfMaterials(
  { registry, repository, context }: TreeReading,
  digest: Digest,
): Promise<readonly AttachedItem[]> {
  const tag = tagOfDigest(digest, ".sbom");
  const found = await registry.manifests.get(repository, tag, context);
  if (found === undefined) return [];
  const { digest: manifest, mediaType } = found;
  return [{ ...artifactOf({ digest: manifest, mediaType, size: 0 }), place: `the tag ${tag}` }];
}
