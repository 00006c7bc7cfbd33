import type { CallContext } from "../../../http/call-context";
import { createHttpClient, type HttpClient } from "../../../http/client";
import { systemClock, type Clock } from "../../../http/clock";
import type { Repository } from "../reference/repository";
import { createAuthorization } from "./authorization";
import { createBlobs, type Blobs } from "./blobs";
import { type CredentialSource, firstOf } from "../credentials/credentials";
import { createManifests, type Manifests } from "./manifests";
import { createReferrers, type Referrers } from "./referrers";
import { createRegistryCalls } from "./registry-call";
import { rememberedCredentials } from "../credentials/remembered-credentials";
import { TagLock } from "./tag-lock";
import { updateTag, type TagUpdate, type TagUpdateResult } from "./update-tag";
import { createUploads, type Uploads } from "./uploads";

/**
 * A client for registries. Content that is read by digest is verified, and all responses are limited in
 * size. Throws only `RegistryError`.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
export interface RegistryClient {
  readonly manifests: Manifests;
  readonly blobs: Blobs;
  readonly uploads: Uploads;
  readonly referrers: Referrers;
  /** Changes a tag without losing concurrent changes. */
  updateTag(
    repository: Repository,
    tag: string,
    update: TagUpdate,
    context: CallContext,
  ): Promise<TagUpdateResult>;
  /** Closes open connections. */
  close(): Promise<void>;
}

/** The settings of a {@link RegistryClient}. */
export interface RegistryClientSettings {
  /** @default none: anonymous access */
  readonly credentials?: CredentialSource | undefined;
  /**
   * Registries, by their exact names, to which plain http is allowed, including credentials. Plain http is
   * always allowed on this machine, and without credentials to private addresses.
   * @default none
   */
  readonly plainHttpRegistries?: readonly string[] | undefined;
  /** Receives the credentials that are used, so that logs can redact them. @default ignored */
  readonly redact?: ((secret: string) => void) | undefined;
  readonly http?: HttpClient | undefined;
  readonly clock?: Clock | undefined;
  /** A number from 0 to 1, for jitter. @default Math.random */
  readonly random?: (() => number) | undefined;
}

// One for the process: several clients may write to the same tag.
const lock = new TagLock();

/** Creates a client for registries. */
export function createRegistryClient(settings: RegistryClientSettings = {}): RegistryClient {
  const { clock = systemClock, random = Math.random, plainHttpRegistries = [] } = settings;
  const http = settings.http ?? createHttpClient({ clock, random, userAgent: "trivet-signing" });
  const source = settings.credentials ?? firstOf([]);
  const credentials = rememberedCredentials(source, clock);
  const secrets = new Set<string>();
  const redact = (secret: string): void => {
    if (secrets.has(secret)) return;
    secrets.add(secret);
    settings.redact?.(secret);
  };
  const authorization = createAuthorization({ http, clock, credentials, redact });
  const calls = createRegistryCalls({ http, authorization, plainHttpRegistries, secrets });
  const manifests = createManifests(calls);
  const blobs = createBlobs(calls);
  const update: RegistryClient["updateTag"] = (repository, tag, change, context) =>
    updateTag(repository, tag, change, context, { manifests, lock, clock, random });
  return {
    manifests,
    blobs,
    uploads: createUploads({ calls, blobs, clock, random }),
    referrers: createReferrers({ calls, manifests, updateTag: update }),
    updateTag: update,
    close: () => http.close(),
  };
}
