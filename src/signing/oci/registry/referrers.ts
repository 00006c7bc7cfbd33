import { randomBytes } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import { type Digest, type DigestAlgorithm, digestOf } from "../reference/digest";
import type { Repository } from "../reference/repository";
import { type Descriptor, describeReferrer } from "../protocol/descriptor";
import { readJsonObject } from "../protocol/read-json";
import { RegistryError, type RegistryErrorCode } from "../protocol/registry-error";
import { FallbackTag, type FallbackList } from "./fallback-tag";
import type { ManifestCalls, NewManifest } from "./manifests";
import type { ReferrersApi } from "./referrers-api";
import type { UpdateTag } from "./update-tag";

interface NewReferrer extends NewManifest {
  /** The algorithm of its own digest. @default "sha256" */
  readonly algorithm?: DigestAlgorithm | undefined;
}

export interface ReferrerList extends FallbackList {
  /** "api": the referrers API. "fallback": the index under the tag `sha256-<hex>`. */
  readonly source: "api" | "fallback";
  /** True if there are more referrers than those that were read. @default false */
  readonly hasMore?: boolean;
}

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
    this.#fallback = new FallbackTag(manifests, (...query) => api.listsTag(...query), updateTag);
  }

  async list(repository: Repository, subject: Digest, context: CallContext): Promise<ReferrerList> {
    const listed = await this.#api.list(repository, subject, context);
    return listed === undefined
      ? { source: "fallback", ...(await this.#fallback.list(repository, subject, context)) }
      : { source: "api", ...listed };
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
    const { mediaType, bytes, algorithm } = referrer;
    const json = readJsonObject(bytes) ?? {};
    const descriptor = describeReferrer(json, {
      mediaType,
      digest: digestOf(bytes, algorithm),
      size: bytes.byteLength,
    });
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
}

const refusals: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "UNSUPPORTED",
  "DENIED",
  "UNAUTHORIZED",
  "REFUSED",
]);
