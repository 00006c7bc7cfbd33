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
 * Images in registries: everything that is read by a digest is checked against it, everything else is
 * bounded; throws only `RegistryError`.
 */
export interface RegistryClient {
  readonly manifests: Manifests;
  readonly blobs: Blobs;
  readonly uploads: Uploads;
  readonly referrers: Referrers;
  /** Changes what a tag holds without losing what others write to it. */
  updateTag(
    repository: Repository,
    tag: string,
    update: TagUpdate,
    context: CallContext,
  ): Promise<TagUpdateResult>;
  /** Drops open connections. */
  close(): Promise<void>;
}

export interface RegistryClientSettings {
  /** @default none: we are nobody to every registry */
  readonly credentials?: CredentialSource | undefined;
  /**
   * Registries, by their exact names, that are spoken to in plain http, credentials included. Those on
   * this machine always may be; those at private addresses without credentials.
   * @default none
   */
  readonly plainHttpRegistries?: readonly string[] | undefined;
  readonly http?: HttpClient | undefined;
  readonly clock?: Clock | undefined;
  /** Between 0 and 1, spreads what several do at once. @default Math.random */
  readonly random?: (() => number) | undefined;
}

// Of the process: several clients write to one tag as well.
const lock = new TagLock();

export function createRegistryClient(settings: RegistryClientSettings = {}): RegistryClient {
  const { clock = systemClock, random = Math.random, plainHttpRegistries = [] } = settings;
  const http = settings.http ?? createHttpClient({ clock, random, userAgent: "trivet-signing" });
  const source = settings.credentials ?? firstOf([]);
  const credentials = rememberedCredentials(source, clock);
  const authorization = createAuthorization({ http, clock, credentials });
  const calls = createRegistryCalls({ http, authorization, plainHttpRegistries });
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
