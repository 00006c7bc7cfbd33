import {
  type CallContext,
  type ClientLog,
  type Clock,
  systemClock,
} from "../../../http/call-context";
import { createHttpClient, type HttpClient } from "../../../http/client";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import type { Descriptor } from "../reference/descriptor";
import { canonicalRegistry, type Repository, isLayout } from "../reference/image-name";
import { Authorization } from "./authorization";
import { type BlobCalls, Blobs, Uploads } from "./blobs";
import { cloudCredentials } from "./cloud-credentials";
import {
  type Credentials,
  type CredentialSource,
  firstOf,
  givenCredentials,
  rememberedCredentials,
} from "./credentials";
import { dockerConfigCredentials } from "./docker-config";
import { type ManifestCalls, Manifests } from "./manifests";
import { Referrers } from "./referrers";
import { listTags, referrersApi, type TagList } from "./referrers-api";
import { RegistryCalls } from "./registry-call";
import { TagLock, updateTag, type UpdateTag } from "./update-tag";

export interface RegistryAccess {
  /** Name of the registry, as in references of images: `registry.example.org`, `localhost:5000`. */
  readonly host: string;
  /** @default none: some registries need only a token */
  readonly username?: string | undefined;
  /** Password or access token. @default from Docker's configuration or the cloud; otherwise anonymous */
  readonly password?: string | undefined;
  /** Allows plain HTTP to this registry, with credentials too. @default false */
  readonly plainHttp?: boolean | undefined;
}

/**
 * The credentials for registries: those that are given, otherwise those that `docker login` stored, otherwise
 * those of a cloud's identity.
 */
export function registryAccess(
  registries: readonly RegistryAccess[],
  settings: CloudSettings & { readonly homeFolder: string },
): { readonly credentials: CredentialSource; readonly plainHttpRegistries: readonly string[] } {
  const given: Record<string, Credentials> = {};
  for (const { host, username = "", password } of registries) {
    if (password === undefined) continue;
    settings.redact(password);
    given[canonicalRegistry(host)] = { kind: "basic", username, password };
  }
  const { env, homeFolder } = settings;
  const userId = process.getuid?.();
  const docker = dockerConfigCredentials({ environment: { ...env }, homeFolder, userId });
  return {
    credentials: firstOf([givenCredentials(given), docker, cloudCredentials(settings)]),
    plainHttpRegistries: registries
      .filter(({ plainHttp }) => plainHttp === true)
      .map(({ host }) => canonicalRegistry(host)),
  };
}

/**
 * A client for registries. Content that is read by digest is verified, and all responses are limited in
 * size. Throws only `RegistryError`.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
export interface RegistryClient {
  readonly manifests: ManifestCalls;
  readonly blobs: BlobCalls;
  readonly uploads: Pick<Uploads, keyof Uploads>;
  readonly referrers: Pick<Referrers, keyof Referrers>;
  /** Lists the tags of a repository in a registry, within limits. */
  tags(repository: Repository, context: CallContext): Promise<TagList>;
  /** Changes a tag without losing concurrent changes. */
  readonly updateTag: UpdateTag;
  /**
   * Runs work that writes an image and everything attached to it. An image layout lists the image afterwards, and an archive
   * appears only then.
   */
  writeImage<T>(
    repository: Repository,
    image: Descriptor,
    context: CallContext,
    work: () => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** What a registry has in common with an image layout. */
export type ImageClient = Omit<RegistryClient, "tags">;

interface RegistryClientSettings {
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
  /** Receives the waits between attempts that the HTTP client does not make itself. @default no log */
  readonly log?: ClientLog | undefined;
  /** A number from 0 to 1, for jitter. @default Math.random */
  readonly random?: (() => number) | undefined;
}

// One for the process: several clients may write to the same tag.
const lock = new TagLock();

export function createRegistryClient(settings: RegistryClientSettings = {}): RegistryClient {
  const { clock = systemClock, random = Math.random, plainHttpRegistries = [] } = settings;
  const http = settings.http ?? createHttpClient({ clock, random, userAgent: "trivet-signing" });
  const { log } = settings;
  const source = settings.credentials ?? firstOf([]);
  const credentials = rememberedCredentials(source, clock);
  const secrets = new Set<string>();
  const redact = (secret: string): void => {
    if (secrets.has(secret)) return;
    secrets.add(secret);
    settings.redact?.(secret);
  };
  const authorization = new Authorization({ http, clock, credentials, redact });
  const calls = new RegistryCalls({ http, authorization, plainHttpRegistries, secrets });
  const manifests = new Manifests(calls);
  const blobs = new Blobs(calls);
  const update: UpdateTag = (repository, tag, change, context) =>
    updateTag(repository, tag, change, context, { manifests, lock, clock, random, log });
  return {
    manifests,
    blobs,
    uploads: new Uploads({ calls, blobs, clock, random, log }),
    referrers: new Referrers(referrersApi(calls), manifests, update),
    tags: (repository, context) => listTags(calls, repository, context),
    updateTag: update,
    writeImage: (_repository, _image, _context, work) => work(),
    close: () => http.close(),
  };
}

/**
 * Adds image layouts on this machine to a client for registries, so that both are read and written in the same way.
 *
 * @param open opens the client for layouts, once the first is used
 */
export function withLayouts(
  registry: RegistryClient,
  open: () => Promise<ImageClient>,
): RegistryClient {
  let layouts: Promise<ImageClient> | undefined;
  const at = async (repository: Repository): Promise<ImageClient> =>
    isLayout(repository) ? (layouts ??= open()) : registry;
  return {
    manifests: {
      get: async (place, ...rest) => (await at(place)).manifests.get(place, ...rest),
      head: async (place, ...rest) => (await at(place)).manifests.head(place, ...rest),
      put: async (place, ...rest) => (await at(place)).manifests.put(place, ...rest),
      remove: async (place, ...rest) => (await at(place)).manifests.remove(place, ...rest),
    },
    blobs: {
      get: async (place, ...rest) => (await at(place)).blobs.get(place, ...rest),
      stream: async (place, ...rest) => (await at(place)).blobs.stream(place, ...rest),
      has: async (place, ...rest) => (await at(place)).blobs.has(place, ...rest),
    },
    uploads: {
      put: async (place, ...rest) => (await at(place)).uploads.put(place, ...rest),
      push: async (place, ...rest) => (await at(place)).uploads.push(place, ...rest),
      mount: async (place, ...rest) => (await at(place)).uploads.mount(place, ...rest),
    },
    referrers: {
      list: async (place, ...rest) => (await at(place)).referrers.list(place, ...rest),
      canRemove: async (place, ...rest) => (await at(place)).referrers.canRemove(place, ...rest),
      add: async (place, ...rest) => (await at(place)).referrers.add(place, ...rest),
      remove: async (place, ...rest) => (await at(place)).referrers.remove(place, ...rest),
    },
    tags: (...list) => registry.tags(...list),
    updateTag: async (place, ...rest) => (await at(place)).updateTag(place, ...rest),
    writeImage: async (place, ...rest) => (await at(place)).writeImage(place, ...rest),
    close: () => registry.close(),
  };
}
