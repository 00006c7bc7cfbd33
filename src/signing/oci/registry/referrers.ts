import { randomBytes } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import { type Digest, type DigestAlgorithm, digestOf } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { readDescriptor, type Descriptor } from "../protocol/descriptor";
import { maxAttachedBytes, ReadBudget } from "../protocol/read-budget";
import { isAboutContent, RegistryError, type RegistryErrorCode } from "../protocol/registry-error";
import { FallbackTag, type FallbackList } from "./fallback-tag";
import type { Manifest, ManifestCalls, NewManifest } from "./manifests";
import type { ReferrersApi } from "./referrers-api";
import type { UpdateTag } from "./update-tag";

interface NewReferrer extends NewManifest, Pick<Descriptor, "artifactType" | "annotations"> {
  /** The algorithm of its own digest. @default "sha256" */
  readonly algorithm?: DigestAlgorithm | undefined;
}

interface ReferrerList extends FallbackList {
  /** "api": the referrers API. "fallback": the index under the tag `sha256-<hex>`. */
  readonly source: "api" | "fallback";
  /** True if there are more referrers than those that were read. @default false */
  readonly hasMore?: boolean;
}

/** A referrer with its manifest. The manifest counts, because lists may omit annotations and types. */
interface Referrer {
  readonly descriptor: Descriptor;
  readonly manifest: Manifest;
}

/** How to read the manifests of referrers. */
interface ReferrerQuery {
  /** Selects the referrers that may be wanted, by their entries in the list. @default all */
  readonly wanted?: ((descriptor: Descriptor) => boolean) | undefined;
  /** Called for each referrer. The next one is read only afterwards. */
  readonly visit: (referrer: Referrer) => Promise<void> | void;
  /** Referrers to read before the others. @default none */
  readonly first?: ReadonlySet<Digest> | undefined;
  /** @default a new one */
  readonly budget?: ReadBudget | undefined;
}

/** The referrers of a manifest, after their manifests were read. */
interface VisitedReferrers extends ReferrerList {
  /** Referrers that cannot be used. */
  readonly broken: readonly { readonly digest: Digest; readonly problem: string }[];
  /** A sentence about the referrers that were not read, if there are any. */
  readonly unread?: string;
}

const maxReferrers = 1_000;

/**
 * The client for referrers.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#listing-referrers
 */
export class Referrers {
  readonly #api: ReferrersApi;
  readonly #manifests: ManifestCalls;
  readonly #fallback: FallbackTag;

  constructor(api: ReferrersApi, manifests: ManifestCalls, updateTag: UpdateTag) {
    this.#api = api;
    this.#manifests = manifests;
    this.#fallback = new FallbackTag(manifests, updateTag);
  }

  async list(repository: Repository, subject: Digest, context: CallContext): Promise<ReferrerList> {
    const listed = await this.#api.list(repository, subject, context);
    return listed === undefined
      ? { source: "fallback", ...(await this.#fallback.list(repository, subject, context)) }
      : { source: "api", ...listed };
  }

  /**
   * Reads the manifests of the referrers one after the other, the smallest first, as far as the budget goes.
   * A manifest that is missing, broken or too large does not keep the others from being read.
   *
   * @throws RegistryError
   */
  async visit(
    repository: Repository,
    subject: Digest,
    context: CallContext,
    query: ReferrerQuery,
  ): Promise<VisitedReferrers> {
    const { wanted = () => true, first = new Set(), budget = new ReadBudget() } = query;
    const listed = await this.list(repository, subject, context);
    const each = new Map(listed.referrers.filter(wanted).map((entry) => [entry.digest, entry]));
    const candidates = [...each.values()].sort(
      (a, b) => Number(first.has(b.digest)) - Number(first.has(a.digest)) || a.size - b.size,
    );
    const broken: { digest: Digest; problem: string }[] = [];
    let read = 0;
    for (const descriptor of candidates.slice(0, maxReferrers)) {
      if (!budget.take(descriptor.size)) continue;
      read++;
      const manifest = await this.#readOne(repository, subject, descriptor, context);
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

  /** Reads the referrers with their manifests, as {@link visit}. Holds all of them in memory. */
  async read(
    repository: Repository,
    subject: Digest,
    context: CallContext,
    query: Omit<ReferrerQuery, "visit"> = {},
  ): Promise<VisitedReferrers & { readonly found: readonly Referrer[] }> {
    const found: Referrer[] = [];
    const keep = (referrer: Referrer) => void found.push(referrer);
    const visited = await this.visit(repository, subject, context, { ...query, visit: keep });
    return { ...visited, found };
  }

  /**
   * Checks whether referrers can be removed. Asks the registry to delete a manifest that does not exist: a
   * registry that deletes nothing refuses that before it looks for the manifest.
   *
   * @throws RegistryError
   */
  async canRemove(repository: Repository, subject: Digest, context: CallContext): Promise<boolean> {
    // Under the fallback tag, it is enough to remove the entry.
    if (!(await this.#api.exists(repository, subject, context))) return true;
    const nothing: Digest = `sha256:${randomBytes(32).toString("hex")}`;
    return (await this.#removeManifest(repository, nothing, context)) === undefined;
  }

  /**
   * Writes a manifest that refers to the subject. Without the referrers API, also adds it to the index
   * under the fallback tag.
   *
   * @throws RegistryError `TAG_TAKEN` if that tag contains something else; then nothing is written
   */
  async add(
    repository: Repository,
    subject: Digest,
    referrer: NewReferrer,
    context: CallContext,
  ): Promise<Descriptor> {
    const { mediaType, bytes, artifactType, annotations, algorithm } = referrer;
    const descriptor: Descriptor = {
      mediaType,
      digest: digestOf(bytes, algorithm),
      size: bytes.byteLength,
      ...(annotations === undefined ? {} : { annotations }),
      ...(artifactType === undefined ? {} : { artifactType }),
    };
    const hasApi = await this.#api.exists(repository, subject, context);
    if (!hasApi) {
      const { refusal } = await this.#fallback.list(repository, subject, context);
      if (refusal !== undefined) throw refusal;
    }
    await this.#manifests.put(repository, { mediaType, bytes }, context, { algorithm });
    if (!hasApi) await this.#fallback.add(repository, subject, descriptor, context);
    return descriptor;
  }

  /**
   * Deletes a referrer, and its entry under the fallback tag. If the registry does not delete manifests, it
   * is enough to remove the entry: the manifest cannot be found without it.
   *
   * @throws RegistryError
   */
  async remove(
    repository: Repository,
    subject: Digest,
    referrer: Digest,
    context: CallContext,
  ): Promise<void> {
    const refusal = await this.#removeManifest(repository, referrer, context);
    if (!(await this.#api.exists(repository, subject, context))) {
      await this.#fallback.remove(repository, subject, referrer, context);
    } else if (refusal !== undefined) throw refusal;
  }

  /** @returns the refusal of a registry that deletes nothing, or nothing of ours */
  async #removeManifest(
    repository: Repository,
    digest: Digest,
    context: CallContext,
  ): Promise<RegistryError | undefined> {
    try {
      await this.#manifests.remove(repository, digest, context);
      return undefined;
    } catch (error) {
      if (error instanceof RegistryError && refusals.has(error.code)) return error;
      throw error;
    }
  }

  /** Skips a manifest that is gone, or has another subject. */
  async #readOne(
    repository: Repository,
    subject: Digest,
    { digest, size }: Descriptor,
    context: CallContext,
  ): Promise<Manifest | { readonly problem: string } | undefined> {
    try {
      const manifest = await this.#manifests.get(repository, digest, context, size);
      const about = manifest && readDescriptor(manifest.json["subject"]);
      return about?.digest === subject ? manifest : undefined;
    } catch (error) {
      if (error instanceof RegistryError && isAboutContent(error)) {
        return { problem: error.message };
      }
      throw error;
    }
  }
}

const refusals: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "UNSUPPORTED",
  "DENIED",
  "UNAUTHORIZED",
  "REFUSED",
]);
