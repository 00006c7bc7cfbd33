import type { CallContext } from "../../../http/call-context";
import { tagOfDigest, type Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { isIndexType, type Descriptor } from "../protocol/descriptor";
import { isAboutContent } from "../protocol/is-about-content";
import { maxAttachedBytes, ReadBudget } from "../protocol/read-budget";
import { readDescriptor, readDescriptors } from "../protocol/read-descriptor";
import { RegistryError } from "../protocol/registry-error";
import { entriesOf, hasPlatform, problemOf, takenTag } from "./fallback-index";
import type { Manifest, Manifests } from "./manifests";
import { queryReferrersApi } from "./referrers-api";
import type { RegistryCalls } from "./registry-call";

/** The referrers of a manifest. */
export interface ReferrerList {
  /** "api": the referrers API. "fallback": the index under the tag `sha256-<hex>`. */
  readonly source: "api" | "fallback";
  readonly referrers: readonly Descriptor[];
  /** Whether there are more referrers than those that were read. @default false */
  readonly hasMore?: boolean;
  /** A warning if the fallback tag contains something else; the tag is not changed then. */
  readonly problem?: string;
  /** Why no referrer can be added. */
  readonly refusal?: RegistryError;
}

/** A referrer with its manifest. The manifest counts, because lists may omit annotations and types. */
export interface Referrer {
  readonly descriptor: Descriptor;
  readonly manifest: Manifest;
}

/** How to read the manifests of referrers. */
export interface ReferrerQuery {
  /** Whether a referrer may be wanted, by its entry in the list. @default all are */
  readonly wanted?: ((descriptor: Descriptor) => boolean) | undefined;
  /** Called for each referrer. The next one is read only afterwards. */
  readonly visit: (referrer: Referrer) => Promise<void> | void;
  /** Referrers to read before the others. @default none */
  readonly first?: ReadonlySet<Digest> | undefined;
  /** @default a new one */
  readonly budget?: ReadBudget | undefined;
}

/** The referrers of a manifest, after their manifests were read. */
export interface VisitedReferrers extends ReferrerList {
  /** Referrers that cannot be used. */
  readonly broken: readonly { readonly digest: Digest; readonly problem: string }[];
  /** A sentence about the referrers that were not read, if there are any. */
  readonly unread?: string;
}

const maxReferrers = 1_000;

/**
 * Creates the part of the client that reads referrers.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export function createReferrerReader(calls: RegistryCalls, manifests: Manifests) {
  async function list(
    repository: Repository,
    subject: Digest,
    context: CallContext,
  ): Promise<ReferrerList> {
    const listed = await queryReferrersApi(calls, repository, subject, context);
    if (listed !== undefined) {
      const { referrers, hasMore } = listed;
      return { source: "api", referrers, ...(hasMore ? { hasMore } : {}) };
    }
    const index = await manifests.get(repository, tagOfDigest(subject), context);
    if (index === undefined) return { source: "fallback", referrers: [] };
    const problem = problemOf(index, repository, subject);
    const entries = isIndexType(index.mediaType) ? entriesOf(index) : [];
    const referrers = readDescriptors(entries.filter((entry) => !hasPlatform(entry)));
    const refusal = takenTag(index, repository, subject);
    return {
      source: "fallback",
      referrers,
      ...(problem === undefined ? {} : { problem }),
      ...(refusal === undefined ? {} : { refusal }),
    };
  }

  /** Skips what is gone, and what has another subject. */
  async function readOne(
    repository: Repository,
    subject: Digest,
    { digest, size }: Descriptor,
    context: CallContext,
  ): Promise<Manifest | { readonly problem: string } | undefined> {
    try {
      const manifest = await manifests.get(repository, digest, context, size);
      const about = manifest && readDescriptor(manifest.json["subject"]);
      return about?.digest === subject ? manifest : undefined;
    } catch (error) {
      if (error instanceof RegistryError && isAboutContent(error)) {
        return { problem: error.message };
      }
      throw error;
    }
  }

  /**
   * Reads the manifests of the referrers one after the other, the smallest first, as far as the budget goes.
   * A manifest that is missing, broken or too large does not keep the others from being read.
   *
   * @throws RegistryError
   */
  async function visit(
    repository: Repository,
    subject: Digest,
    context: CallContext,
    query: ReferrerQuery,
  ): Promise<VisitedReferrers> {
    const { wanted = () => true, first = new Set(), budget = new ReadBudget() } = query;
    const listed = await list(repository, subject, context);
    const each = new Map(listed.referrers.filter(wanted).map((entry) => [entry.digest, entry]));
    const candidates = [...each.values()].sort(
      (a, b) => Number(first.has(b.digest)) - Number(first.has(a.digest)) || a.size - b.size,
    );
    const broken: { digest: Digest; problem: string }[] = [];
    let read = 0;
    for (const descriptor of candidates.slice(0, maxReferrers)) {
      if (!budget.take(descriptor.size)) continue;
      read++;
      const manifest = await readOne(repository, subject, descriptor, context);
      if (manifest === undefined) continue;
      if ("problem" in manifest) broken.push({ digest: descriptor.digest, ...manifest });
      else await query.visit({ descriptor, manifest });
    }
    const rest = candidates.length - read;
    if (rest === 0 && listed.hasMore !== true) return { ...listed, broken };
    const atLeast = listed.hasMore === true ? "at least " : "";
    const place = `${formatRepository(repository)}@${subject}`;
    const unread =
      `${place} has ${atLeast}${candidates.length} referrers that may be wanted, and only the ` +
      `smallest ${read} were read: the maximum is ${maxReferrers}, and ` +
      `${maxAttachedBytes / 1024 / 1024} MiB where they are verified`;
    return { ...listed, broken, unread };
  }

  return {
    list,
    visit,

    /** Reads the referrers with their manifests, as {@link visit}. Holds all of them in memory. */
    async read(
      repository: Repository,
      subject: Digest,
      context: CallContext,
      query: Omit<ReferrerQuery, "visit"> = {},
    ): Promise<VisitedReferrers & { readonly found: readonly Referrer[] }> {
      const found: Referrer[] = [];
      const keep = (referrer: Referrer) => void found.push(referrer);
      const visited = await visit(repository, subject, context, { ...query, visit: keep });
      return { ...visited, found };
    },
  };
}
