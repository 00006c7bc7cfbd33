import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { answerJson } from "../../service/answer";
import type { Listener } from "../../service/service";
import {
  blobCall,
  continueUpload,
  type RegistryCall,
  type RegistryState,
  startUpload,
} from "./blob-calls";
import { manifestCall, referrersCall, tagsCall } from "./manifest-calls";
import { BlobStore, ManifestStore } from "./manifest-store";
import { behaviorWith, type QuirkName } from "./quirks";
import { checkRepository, registryFailure } from "./registry-failure";
import { OpenUploads, type UploadLimits } from "./uploads";

interface RegistrySettings {
  /** Folder for all data; created if it does not exist. Only one registry can use it at a time. */
  readonly folder: string;
  /** True to implement the referrers API. Without it, clients use the fallback tag. @default true */
  readonly referrersApi?: boolean | undefined;
  /** Its differences from the specification. @default none */
  readonly quirks?: readonly QuirkName[] | undefined;
  /** @default 16 GiB */
  readonly maxBlobBytes?: number | undefined;
  readonly uploads?: UploadLimits | undefined;
  /** @default 4 MiB */
  readonly maxManifestBytes?: number | undefined;
  /** The clock for the expiry of tokens and uploads. @default the system time */
  readonly now?: (() => Date) | undefined;
  /** Receives a line for each change. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Opens the folder of an image registry (OCI distribution 1.1), and returns its listener. */
export async function openRegistry(settings: RegistrySettings): Promise<Listener> {
  const { folder, log = () => undefined, now = () => new Date() } = settings;
  const { maxBlobBytes = 16 * 2 ** 30, referrersApi = true, quirks = [] } = settings;
  const nowMs = () => now().getTime();
  const uploads = join(folder, "uploads");
  // Uploads cannot be continued after a crash.
  await rm(uploads, { recursive: true, force: true });
  const blobs = new BlobStore(folder);
  const registry = {
    blobs,
    manifests: new ManifestStore(folder, blobs),
    uploads: new OpenUploads({ ...settings.uploads, folder: uploads, maxBlobBytes, now: nowMs }),
    behavior: behaviorWith(referrersApi ? quirks : [...quirks, "no-referrers-api"]),
    maxManifestBytes: settings.maxManifestBytes ?? 4 * 2 ** 20,
    log,
  };
  return (request, response) => serve(registry, request, response);
}

type Handler = (call: RegistryCall) => Promise<void>;

// The order matters: a repository may be named "blobs".
const routes: readonly (readonly [RegExp, Handler])[] = [
  [/^\/v2\/(.+)\/blobs\/uploads\/?()$/, startUpload],
  [/^\/v2\/(.+)\/blobs\/uploads\/([^/]+)$/, continueUpload],
  [/^\/v2\/(.+)\/blobs\/([^/]+)$/, blobCall],
  [/^\/v2\/(.+)\/manifests\/([^/]+)$/, manifestCall],
  [/^\/v2\/(.+)\/tags\/list()$/, tagsCall],
  [/^\/v2\/(.+)\/referrers\/([^/]+)$/, referrersCall],
];

/**
 * The HTTP API of the OCI distribution specification 1.1.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#endpoints
 */
async function serve(
  registry: RegistryState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("docker-distribution-api-version", "registry/2.0");
  const url = new URL(request.url ?? "/", "http://localhost");
  const { method = "GET" } = request;
  if (/^\/v2\/?$/.test(url.pathname)) {
    answerJson(response, 200, {});
    return;
  }
  for (const [pattern, handler] of routes) {
    const [, name, target] = pattern.exec(decoded(url.pathname)) ?? [];
    if (name === undefined || target === undefined) continue;
    const repository = checkRepository(name);
    const { searchParams: query } = url;
    await handler({ registry, request, response, method, query, repository, target });
    return;
  }
  throw registryFailure("NAME_UNKNOWN", "the registry has no such path");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw registryFailure("NAME_INVALID", "the path is not properly escaped");
  }
}
