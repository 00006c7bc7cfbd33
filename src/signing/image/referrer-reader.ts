import { type Descriptor, describeReferrer, readDescriptor } from "../oci/protocol/descriptor";
import { maxAttachedBytes, type ReadBudget } from "../oci/protocol/read-budget";
import { isAboutContent, RegistryError } from "../oci/protocol/registry-error";
import type { Digest } from "../oci/reference/digest";
import { formatRepository } from "../oci/reference/image-name";
import { type Manifest, maxManifestBytes } from "../oci/registry/manifests";
import type { ReferrerList } from "../oci/registry/referrers";
import type { ImagePlace } from "./walk-images";

/** A manifest that refers to the image. The manifest counts, because lists may omit annotations and types. */
export interface Referrer {
  readonly descriptor: Descriptor;
  /** A problem if it cannot be used. */
  readonly manifest: Manifest | { readonly problem: string };
}

// Far more than any image has.
export const maxItems = 1_000;

export const mebibytes = `${maxAttachedBytes / 1024 / 1024} MiB`;

export class ReferrerReader {
  /** What was not read, as sentences without a full stop. */
  readonly notes = new Set<string>();
  /** What was read before, as its manifest describes it; undefined if it is gone or has another subject. */
  readonly #known = new Map<Digest, Descriptor | undefined>();
  #list: Promise<ReferrerList> | undefined;
  readonly #place: ImagePlace;
  readonly #image: Digest;
  readonly #budget: ReadBudget;

  constructor(place: ImagePlace, image: Digest, budget: ReadBudget) {
    this.#place = place;
    this.#image = image;
    this.#budget = budget;
  }

  listed(): Promise<ReferrerList> {
    const { registry, repository, context } = this.#place;
    return (this.#list ??= registry.referrers.list(repository, this.#image, context));
  }

  /**
   * Reads the manifests of referrers one after the other, as far as the budget goes. One that is missing, broken or too large
   * does not keep the others from being read; one that is gone, or has another subject, is skipped.
   *
   * @param isWanted by its entry in the list
   * @param first those to read before the others. @default none
   */
  async *read(
    isWanted: (descriptor: Descriptor) => boolean = () => true,
    first: ReadonlySet<Digest> = new Set(),
  ): AsyncGenerator<Referrer> {
    const { referrers, hasMore = false } = await this.listed();
    const current = referrers.flatMap((entry) =>
      this.#known.has(entry.digest) ? (this.#known.get(entry.digest) ?? []) : entry,
    );
    const each = new Map(current.filter(isWanted).map((entry) => [entry.digest, entry]));
    const order = ({ digest, size }: Descriptor) => (first.has(digest) ? -1 : size);
    const inOrder = [...each.values()].sort((a, b) => order(a) - order(b));
    let read = 0;
    for (const descriptor of inOrder.slice(0, maxItems)) {
      // The listed size may be wrong.
      if (!this.#budget.fits(Math.min(descriptor.size, maxManifestBytes))) continue;
      const manifest = await this.#readOne(descriptor);
      const isHeld = manifest !== undefined && "bytes" in manifest;
      if (!this.#budget.take(isHeld ? manifest.bytes.byteLength : 0)) continue;
      read++;
      if (manifest !== undefined) yield { descriptor, manifest };
    }
    if (read === inOrder.length && !hasMore) return;
    this.notes.add(
      `${formatRepository(this.#place.repository)}@${this.#image} has ${hasMore ? "at least " : ""}${inOrder.length} referrers that may be wanted, and only the ` +
        `smallest ${read} were read: the maximum is ${maxItems}, and ${mebibytes} where they are verified`,
    );
  }

  async #readOne(listed: Descriptor): Promise<Referrer["manifest"] | undefined> {
    const { registry, repository, context } = this.#place;
    const { digest } = listed;
    try {
      const manifest = await registry.manifests.get(repository, digest, context);
      const subject = manifest && readDescriptor(manifest.json["subject"]);
      const found = subject?.digest === this.#image ? manifest : undefined;
      this.#known.set(digest, found && describeReferrer(found.json, listed));
      return found;
    } catch (error) {
      if (!(error instanceof RegistryError) || !isAboutContent(error)) throw error;
      return { problem: error.message };
    }
  }
}
