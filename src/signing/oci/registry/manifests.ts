import { createHash } from "node:crypto";
import type { CallContext } from "../../../http/call-context";
import { isDigest, type Digest } from "../reference/digest";
import { formatRepository, type Repository } from "../reference/repository";
import { mediaTypes, type Descriptor } from "../protocol/descriptor";
import { readJsonObject, type JsonObject } from "../protocol/read-json";
import type { RegistryCalls } from "./registry-call";
import { RegistryError } from "../protocol/registry-error";

export const maxManifestBytes = 4 * 1024 * 1024;

/** What is to be written: the bytes as they are. */
export interface NewManifest {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A manifest or index as the registry holds it. */
export interface Manifest extends NewManifest {
  readonly bytes: Buffer;
  /** Computed by us. */
  readonly digest: Digest;
  readonly json: JsonObject;
  readonly etag: string | undefined;
}

/** What the registry says of a manifest; good for noticing a change, not to be trusted. */
export interface ManifestHead {
  readonly digest: Digest | undefined;
}

export function createManifests(calls: RegistryCalls) {
  return {
    /**
     * The manifest of a tag or digest, undefined when there is none; other bytes than a digest says are
     * an error.
     */
    async get(
      repository: Repository,
      reference: string,
      context: CallContext,
    ): Promise<Manifest | undefined> {
      const answer = await calls.request({
        ...readManifest("GET", repository, reference, context),
      });
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw answer.refusal();
      const digest = digestOf(answer.body);
      const place = `${formatRepository(repository)} ${reference}`;
      if (isDigest(reference) && reference !== digest) {
        throw new RegistryError({
          code: "WRONG_CONTENT",
          message: `the registry gave other content for ${place}: its digest is ${digest}`,
        });
      }
      const json = readJsonObject(answer.body);
      if (json === undefined) {
        throw new RegistryError({
          code: "MALFORMED_ANSWER",
          message: `what the registry gave for ${place} is not a manifest: it is no JSON object`,
        });
      }
      const { headers, body } = answer;
      const mediaType = mediaTypeOf(json, headers["content-type"]);
      return { mediaType, bytes: body, digest, json, etag: headers["etag"] };
    },

    async head(
      repository: Repository,
      reference: string,
      context: CallContext,
    ): Promise<ManifestHead | undefined> {
      const answer = await calls.request(readManifest("HEAD", repository, reference, context));
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw answer.refusal();
      const digest = answer.headers["docker-content-digest"] ?? "";
      return { digest: isDigest(digest) ? digest : undefined };
    },

    /** Writes the manifest under its digest, or under a tag; `ifMatch` is an ETag it shall replace. */
    async put(
      repository: Repository,
      manifest: NewManifest,
      context: CallContext,
      place: { readonly tag?: string; readonly ifMatch?: string | undefined } = {},
    ): Promise<Descriptor> {
      const { mediaType, bytes } = manifest;
      const digest = digestOf(bytes);
      const answer = await calls.request({
        repository,
        method: "PUT",
        path: `manifests/${place.tag ?? digest}`,
        headers: {
          "content-type": mediaType,
          ...(place.ifMatch === undefined ? {} : { "if-match": place.ifMatch }),
        },
        body: bytes,
        actions: "pull,push",
        context,
        maxBytes: 65_536,
      });
      if (answer.status < 200 || answer.status >= 300) throw answer.refusal();
      return { mediaType, digest, size: bytes.byteLength };
    },

    /** Whether there was one; some registries refuse with `UNSUPPORTED` or `DENIED`. */
    async remove(repository: Repository, digest: Digest, context: CallContext): Promise<boolean> {
      const answer = await calls.request({
        repository,
        method: "DELETE",
        path: `manifests/${digest}`,
        actions: "delete,pull,push",
        context,
        maxBytes: 65_536,
      });
      if (answer.status === 404) return false;
      if (answer.status < 200 || answer.status >= 300) throw answer.refusal();
      return true;
    },
  };
}

export type Manifests = ReturnType<typeof createManifests>;

export function digestOf(bytes: Uint8Array): Digest {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function readManifest(
  method: "GET" | "HEAD",
  repository: Repository,
  reference: string,
  context: CallContext,
) {
  return {
    repository,
    method,
    path: `manifests/${reference}`,
    headers: { accept: Object.values(mediaTypes).join(", ") },
    actions: "pull",
    context,
    maxBytes: maxManifestBytes,
    redirects: "follow",
  } as const;
}

// The digest covers the field, and not the header.
function mediaTypeOf(json: JsonObject, header = ""): string {
  const { mediaType } = json;
  if (typeof mediaType === "string" && mediaType !== "") return mediaType;
  const [type = ""] = header.split(";");
  const said = type.trim();
  if (said !== "" && said !== "application/json") return said;
  return "manifests" in json ? mediaTypes.imageIndex : mediaTypes.imageManifest;
}
