import type { CallContext } from "../../../http/call-context";
import type { HttpResponse } from "../../../http/client";
import type { RetryPolicy } from "../../../http/retry";
import { readJsonObject } from "../../../json/parse-json";
import type { Properties } from "../../../json/plain-json";
import {
  algorithmOf,
  type Descriptor,
  type Digest,
  type DigestAlgorithm,
  digestOf,
  isDigest,
  mediaTypes,
} from "../reference/descriptor";
import { formatRepository, type Repository } from "../reference/image-name";
import type { RegistryCalls } from "./registry-call";
import { RegistryError, wrongContent } from "./registry-error";

/**
 * The maximum size of the signatures, attestations and their manifests that one verification reads. Signing and
 * attesting have the same limit, because they verify what is already attached.
 *
 * Anyone who may write to a repository can attach any amount of content to an image. What is read is held in
 * memory until the verification ends, so this also limits that memory.
 */
export const maxAttachedBytes = 64 * 1024 * 1024;

/** The same for the number of requests. */
const maxRequests = 5_000;

/** Counts the bytes and requests of one verification. Read small content first: signatures are small. */
export class ReadBudget {
  #bytes: number;
  #requests: number;

  constructor(maxBytes = maxAttachedBytes, requests = maxRequests) {
    this.#bytes = maxBytes;
    this.#requests = requests;
  }

  /** Checks whether that many bytes may be read with one request. */
  fits(bytes: number): boolean {
    return bytes <= this.#bytes && this.#requests > 0;
  }

  /** Takes a request for that many bytes from the budget; false if it has less left, and then takes nothing. */
  take(bytes: number): boolean {
    if (!this.fits(bytes)) return false;
    this.#bytes -= bytes;
    this.#requests--;
    return true;
  }
}

export const maxManifestBytes = 4 * 1024 * 1024;

export interface NewManifest {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface Manifest extends NewManifest {
  readonly bytes: Buffer;
  /** Computed from the bytes, not from a header. By a tag, it is a sha256. */
  readonly digest: Digest;
  readonly json: Properties;
  readonly etag: string | undefined;
}

/** The registry's headers about a manifest. They can reveal a change, but are not trusted. */
interface ManifestHead {
  readonly digest: Digest | undefined;
}

/**
 * The client for manifests.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests
 */
export class Manifests {
  readonly #calls: RegistryCalls;

  constructor(calls: RegistryCalls) {
    this.#calls = calls;
  }

  /**
   * Reads the manifest of a tag or digest, and verifies it against the digest; undefined if it does not
   * exist.
   *
   * @throws RegistryError
   */
  async get(
    repository: Repository,
    reference: string,
    context: CallContext,
  ): Promise<Manifest | undefined> {
    const answer = await this.#read("GET", repository, reference, context);
    if (answer === undefined) return undefined;
    const { headers, body } = answer;
    const manifest = checkedManifest(body, {
      place: `${formatRepository(repository)} ${reference}`,
      reference,
      contentType: headers["content-type"],
    });
    return { ...manifest, etag: headers["etag"] };
  }

  /** Reads only the headers of a manifest; undefined if it does not exist. */
  async head(
    repository: Repository,
    reference: string,
    context: CallContext,
  ): Promise<ManifestHead | undefined> {
    const answer = await this.#read("HEAD", repository, reference, context);
    if (answer === undefined) return undefined;
    const digest = answer.headers["docker-content-digest"] ?? "";
    const isComparable = isDigest(digest) && algorithmOf(digest) === algorithmFor(reference);
    return { digest: isComparable ? digest : undefined };
  }

  /**
   * Writes a manifest under its digest, by default its sha256, or under a tag. `ifMatch` is the ETag of the
   * manifest to replace, and `retry` determines when to repeat the request.
   */
  async put(
    repository: Repository,
    manifest: NewManifest,
    context: CallContext,
    place: {
      readonly algorithm?: DigestAlgorithm | undefined;
      readonly tag?: string;
      readonly ifMatch?: string | undefined;
      readonly retry?: RetryPolicy | undefined;
    } = {},
  ): Promise<Descriptor> {
    const { mediaType, bytes } = manifest;
    const { algorithm, tag, ifMatch, retry } = place;
    const digest = digestOf(bytes, algorithm);
    const headers = {
      "content-type": mediaType,
      ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
    };
    const path = `manifests/${tag ?? digest}`;
    const expected = ["2xx"] as const;
    await this.#calls
      .request({ repository, method: "PUT", path, headers, body: bytes, context, expected, retry })
      .catch((error: unknown) => {
        throw unaccepted(mediaType, repository, error);
      });
    return { mediaType, digest, size: bytes.byteLength };
  }

  /** Deletes a manifest; false if it did not exist. Some registries fail with `UNSUPPORTED` or `DENIED`. */
  async remove(repository: Repository, digest: Digest, context: CallContext): Promise<boolean> {
    const { status } = await this.#calls.request({
      repository,
      method: "DELETE",
      path: `manifests/${digest}`,
      actions: "delete,pull,push",
      context,
      expected: ["2xx", 404],
    });
    return status !== 404;
  }

  async #read(
    method: "GET" | "HEAD",
    repository: Repository,
    reference: string,
    context: CallContext,
  ): Promise<HttpResponse | undefined> {
    const answer = await this.#calls.request({
      repository,
      method,
      path: `manifests/${reference}`,
      headers: { accept: Object.values(mediaTypes).join(", ") },
      context,
      expected: [200, 404],
      maxBytes: maxManifestBytes,
      redirects: "follow",
    });
    return answer.status === 404 ? undefined : answer;
  }
}

/** The entries of an index, unchecked. */
export function entriesOf(index: Pick<Manifest, "json"> | undefined): readonly unknown[] {
  const manifests = index?.json["manifests"];
  return Array.isArray(manifests) ? manifests : [];
}

export const descriptorOf = ({ mediaType, digest, bytes }: Manifest): Descriptor => ({
  mediaType,
  digest,
  size: bytes.byteLength,
});

export type ManifestCalls = Pick<Manifests, keyof Manifests>;

/** Checks the bytes of a manifest. @throws RegistryError `WRONG_CONTENT`, `MALFORMED_ANSWER` */
export function checkedManifest(
  bytes: Buffer,
  {
    place,
    reference,
    contentType,
  }: {
    readonly place: string;
    /** The digest by which it was read, or a tag. */
    readonly reference: string;
    /** The media type in the response. @default not known */
    readonly contentType?: string | undefined;
  },
): Manifest {
  const digest = digestOf(bytes, algorithmFor(reference));
  if (isDigest(reference) && reference !== digest) {
    throw wrongContent(place, `its digest is ${digest}`);
  }
  const json = readJsonObject(bytes);
  if (json === undefined) {
    const message = `${place} is not a manifest: the content is not a JSON object`;
    throw new RegistryError("MALFORMED_ANSWER", message);
  }
  return { mediaType: mediaTypeOf(json, contentType), bytes, digest, json, etag: undefined };
}

/** The algorithm of a digest; sha256 for a tag. */
function algorithmFor(reference: string): DigestAlgorithm {
  return isDigest(reference) ? algorithmOf(reference) : "sha256";
}

/** Explains a 415, and returns other errors unchanged. */
function unaccepted(mediaType: string, { registry }: Repository, cause: unknown): unknown {
  if (!(cause instanceof RegistryError) || cause.status !== 415) return cause;
  const problem = `the registry ${registry} does not accept manifests of the media type ${mediaType}`;
  return cause.explained(`${problem}: ${cause.message}`, "MEDIA_TYPE");
}

// The digest covers the field, but not the header.
function mediaTypeOf(json: Properties, header = ""): string {
  const { mediaType } = json;
  if (typeof mediaType === "string" && mediaType !== "") return mediaType;
  const [type = ""] = header.split(";");
  const headerType = type.trim();
  if (headerType !== "" && headerType !== "application/json") return headerType;
  return "manifests" in json ? mediaTypes.imageIndex : mediaTypes.imageManifest;
}
