import { isEnd } from "../../failure/failure";
import {
  artifactTypeOf,
  type Descriptor,
  readDescriptor,
  readStrings,
  type Digest,
  tagOfDigest,
} from "../oci/reference/descriptor";
import { ReadBudget, type Manifest } from "../oci/registry/manifests";
import { isAboutContent, RegistryError } from "../oci/registry/registry-error";
import { formatRepository } from "../oci/reference/image-name";
import type { BlobName } from "../oci/registry/blobs";
import type { ReferrerList } from "../oci/registry/referrers";
import {
  annotation,
  isBundleType,
  layerArtifacts,
  signingTypes,
} from "../sigstore/format/manifest";
import type { VerificationProblem } from "../sigstore/verification/verification";
import { maxItems, mebibytes, type Referrer, ReferrerReader, type ImagePlace } from "./walk-images";
import type { Attached, BundlePurpose } from "../sigstore/verification/verify-attached";

/** A signature or an attestation that is attached to an image, before its content is read. */
export interface AttachedItem {
  readonly format: "legacy" | "bundle";
  readonly label: string;
  /** Of its layer, or of a bundle's manifest; undefined if it has none, or cannot be read. */
  readonly digest: Digest | undefined;
  /** The manifest through which it refers to the image; undefined for a layer under a tag. */
  readonly referrer?: Digest | undefined;
  readonly size: number;
  /** The predicate type that an annotation claims. The content need not be read if another type is wanted. */
  readonly claimedType?: string | undefined;
  /** Reads the content, once for all callers; a problem if it is missing, broken or too large. */
  readonly read: () => Promise<Attached | VerificationProblem>;
}

const mediaTypeFor = {
  signature: signingTypes.simpleSigning,
  attestation: signingTypes.dsseEnvelope,
} as const;

/** Some registries list the media type of the configuration instead of the artifact's type. */
const mayBe =
  (isType: (type: string) => boolean) =>
  ({ artifactType: type }: Descriptor) =>
    type === undefined || isType(type) || type === signingTypes.emptyConfig;

/** Checks whether a referrer may be a bundle, by its entry in the list. */
export const mayBeBundle = mayBe(isBundleType);

/**
 * What is attached to one image in a repository: the layers under its tags, and its referrers.
 *
 * Types and sizes come from lists and manifests, the smallest first. Content is read one piece at a time, on demand, and
 * kept. What exceeds the limits is listed in {@link unread}.
 */
export class Attachments {
  readonly #budget: ReadBudget;
  readonly #blobs = new Map<string, Promise<Buffer | VerificationProblem>>();
  readonly #referrers: ReferrerReader;
  readonly #notes = new Set<string>();
  #overBudget = 0;
  readonly #place: ImagePlace;

  constructor(
    place: ImagePlace,
    readonly image: Digest,
    budget = new ReadBudget(),
  ) {
    this.#place = place;
    this.#budget = budget;
    this.#referrers = new ReferrerReader(place, image, budget);
  }

  /** Everything that exceeded the limits and was not read, as sentences without a full stop. */
  get unread(): readonly string[] {
    const rest = `${limit}, so ${this.#overBudget} of them were not read`;
    return [...this.#referrers.notes, ...this.#notes, ...(this.#overBudget > 0 ? [rest] : [])];
  }

  /** The referrers as they are listed. Read once. */
  listed(): Promise<ReferrerList> {
    return this.#referrers.listed();
  }

  referrers(...wanted: Parameters<ReferrerReader["read"]>): AsyncGenerator<Referrer> {
    return this.#referrers.read(...wanted);
  }

  async bundles(first?: ReadonlySet<Digest>): Promise<readonly AttachedItem[]> {
    const items: AttachedItem[] = [];
    for await (const { descriptor, manifest } of this.referrers(mayBeBundle, first)) {
      const { digest } = descriptor;
      if ("problem" in manifest) {
        items.push({
          ...broken("bundle", `the referrer ${digest}`, manifest.problem),
          referrer: digest,
        });
      } else if (isBundleType(artifactTypeOf(manifest.json))) items.push(this.#bundle(manifest));
    }
    return inOrder(items);
  }

  /**
   * The layers with signatures or attestations under the tag of the image, and those of referrers, as cosign writes them in
   * its mode `oci-1-1`.
   */
  async layers(kind: BundlePurpose, tagPrefix = ""): Promise<readonly AttachedItem[]> {
    const { registry, repository, context } = this.#place;
    const tag = tagPrefix + tagOfDigest(this.image, kind === "signature" ? ".sig" : ".att");
    const manifest = await registry.manifests.get(repository, tag, context);
    const place = `the tag ${tag}`;
    const tagged = manifest === undefined ? [] : this.#layersOf(manifest, kind, place);
    const items = [...tagged, ...(await this.#layersOfReferrers(kind))];
    const rest = items.length - maxItems;
    if (rest > 0) {
      this.#notes.add(
        `${formatRepository(repository)}:${tag} has ${items.length} signatures or attestations, and only the smallest ${maxItems} were read`,
      );
    }
    return inOrder(items).slice(0, maxItems);
  }

  layer(entry: unknown, kind: BundlePurpose, place: string, number = 0): AttachedItem {
    const layer = readDescriptor(entry);
    const label = `the layer ${layer?.digest ?? `number ${number + 1}`} of ${place}`;
    if (layer === undefined) {
      return broken("legacy", label, "has no media type, sha256 digest or size");
    }
    const { mediaType, annotations = {}, digest, size } = layer;
    const type = mediaTypeFor[kind];
    if (mediaType !== type)
      return broken("legacy", label, `does not have the type ${type}`, digest);
    return {
      format: "legacy",
      label,
      digest,
      size,
      claimedType: kind === "attestation" ? annotations[annotation.predicateType] : undefined,
      read: async () => {
        const blob = await this.#content(layer);
        if ("problem" in blob) return blob;
        return { kind: "layer", layer: { mediaType, blob, annotations } };
      },
    };
  }

  #layersOf({ json }: Manifest, kind: BundlePurpose, place: string): readonly AttachedItem[] {
    const { layers } = json;
    if (Array.isArray(layers)) {
      return layers.map((each: unknown, number) => this.layer(each, kind, place, number));
    }
    return [broken("legacy", place, "contains no signatures or attestations")];
  }

  /** Empty if the registry does not list referrers: what is under the tag still counts. */
  async #layersOfReferrers(kind: BundlePurpose): Promise<readonly AttachedItem[]> {
    const type = layerArtifacts[kind];
    const isType = (each: string | undefined) => each === type;
    const items: AttachedItem[] = [];
    try {
      await this.listed();
    } catch (error) {
      if (isFinal(error)) throw error;
      return [];
    }
    for await (const { descriptor, manifest } of this.referrers(mayBe(isType))) {
      const { digest: referrer, artifactType } = descriptor;
      const place = `the referrer ${referrer}`;
      // An unreadable referrer may be anything else.
      const isThis = isType("problem" in manifest ? artifactType : artifactTypeOf(manifest.json));
      if (!isThis) continue;
      const found =
        "problem" in manifest
          ? [broken("legacy", place, manifest.problem)]
          : this.#layersOf(manifest, kind, place);
      items.push(...found.map((each) => ({ ...each, referrer })));
    }
    return items;
  }

  #bundle({ digest, json }: Manifest): AttachedItem {
    const { layers, annotations } = json;
    const claimed = readStrings(annotations)?.[annotation.bundlePredicateType];
    // No wanted type is as long.
    const claimedType = claimed?.slice(0, 4_096);
    const label = `the bundle ${digest}`;
    const layer =
      Array.isArray(layers) && layers.length === 1 ? readDescriptor(layers[0]) : undefined;
    if (layer === undefined) {
      const problem = "the bundle's manifest has no single layer";
      return { ...broken("bundle", label, problem, digest), referrer: digest, claimedType };
    }
    const read = async () => {
      const bytes = await this.#content(layer);
      return "problem" in bytes ? bytes : ({ kind: "bundle", bytes } as const);
    };
    const { size } = layer;
    return { format: "bundle", label, digest, referrer: digest, size, claimedType, read };
  }

  /** Missing or broken content is a problem of the item; a failure of the registry is an error. */
  #content(blob: BlobName): Promise<Buffer | VerificationProblem> {
    // Signatures of one image have the same payload.
    const key = `${blob.digest} ${blob.size}`;
    const content = this.#blobs.get(key) ?? this.#readBlob(blob);
    this.#blobs.set(key, content);
    return content;
  }

  async #readBlob(blob: BlobName): Promise<Buffer | VerificationProblem> {
    const { registry, repository, context } = this.#place;
    if (!this.#budget.take(blob.size)) {
      this.#overBudget++;
      return { code: "FORMAT", problem: `has ${blob.size} bytes and was not read: ${limit}` };
    }
    try {
      return await registry.blobs.get(repository, blob, context);
    } catch (error) {
      if (!(error instanceof RegistryError) || !isAboutContent(error)) throw error;
      return { code: "FORMAT", problem: error.message };
    }
  }
}

const limit = `at most ${mebibytes} of signatures and attestations are read, the smallest first`;

const inOrder = (items: readonly AttachedItem[]) => items.toSorted((a, b) => a.size - b.size);

function broken(
  format: AttachedItem["format"],
  label: string,
  problem: string,
  digest?: Digest,
): AttachedItem {
  const content = { code: "FORMAT", problem } as const;
  // Sorted after everything that can be read.
  return { format, label, digest, size: Infinity, read: () => Promise.resolve(content) };
}

/** Checks for an error that is not about content: the end of a call, or a bug. */
export const isFinal = (error: unknown): boolean =>
  !(error instanceof RegistryError) || isEnd(error);
