import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { answerJson } from "../../service/answer";
import { readBody } from "../../service/read-body";
import { type Listener, startService, type Service } from "../../service/service";
import { blobCall, continueUpload, startUpload } from "./blob-calls";
import { BlobStore, ManifestStore } from "./manifest-store";
import { manifestCall, tagsCall, referrersCall } from "./manifest-calls";
import { behaviorWith, type QuirkName } from "./quirks";
import { AccessCheck, type RegistryAccess } from "./registry-access";
import type { RegistryCall, RegistryState } from "./registry-call";
import { checkRepository, registryFailure } from "./registry-failure";
import { OpenUploads, type UploadLimits } from "./uploads";

interface RegistrySettings {
  /** Folder for all data; created if it does not exist. Only one registry can use it at a time. */
  readonly folder: string;
  /** @default 0: any free port */
  readonly port?: number | undefined;
  /** True to implement the referrers API. Without it, clients use the fallback tag. @default true */
  readonly referrersApi?: boolean | undefined;
  /** How it differs from the specification, as registries that people use do. @default none */
  readonly quirks?: readonly QuirkName[] | undefined;
  /** @default anonymous clients may read and write */
  readonly access?: RegistryAccess | undefined;
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

/** Starts an image registry (OCI distribution 1.1) on the loopback interface. */
export async function startRegistry(settings: RegistrySettings): Promise<Service> {
  let listener: Promise<Listener> | undefined;
  // Only after the port is bound: another registry that has the port may be using the folder.
  const open = () => (listener ??= openRegistry(settings));
  return startService(async (request, response) => (await open())(request, response), {
    port: settings.port,
  });
}

/** Opens the folder of a registry, and returns its listener. */
export async function openRegistry(settings: Omit<RegistrySettings, "port">): Promise<Listener> {
  const { folder, access, log = () => undefined, now = () => new Date() } = settings;
  const { maxBlobBytes = 16 * 2 ** 30, referrersApi = true, quirks = [] } = settings;
  const nowMs = () => now().getTime();
  const uploads = join(folder, "uploads");
  // Uploads that a crash interrupted cannot be continued.
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
  const check = access === undefined ? undefined : new AccessCheck(access, nowMs);
  return (request, response) => serve(registry, check, request, response);
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
  access: AccessCheck | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("docker-distribution-api-version", "registry/2.0");
  const url = new URL(request.url ?? "/", "http://localhost");
  const { method = "GET" } = request;
  if (access !== undefined && url.pathname === "/token") {
    const body = (await readBody(request, 65_536)).toString("utf8");
    const form = method === "POST" ? new URLSearchParams(body) : url.searchParams;
    answerJson(response, 200, access.issue(request, form), { "cache-control": "no-store" });
    return;
  }
  if (/^\/v2\/?$/.test(url.pathname)) {
    access?.check(request, []);
    answerJson(response, 200, {});
    return;
  }
  for (const [pattern, handler] of routes) {
    const [, name, target] = pattern.exec(decoded(url.pathname)) ?? [];
    if (name === undefined || target === undefined) continue;
    const repository = checkRepository(name);
    access?.check(request, needs(method, repository, url.searchParams));
    const { searchParams: query } = url;
    await handler({ registry, request, response, method, query, repository, target });
    return;
  }
  throw registryFailure("NAME_UNKNOWN", "the registry has no such path");
}

function needs(method: string, repository: string, query: URLSearchParams): readonly string[] {
  const action = (name: string, verb: string) => `repository:${name}:${verb}`;
  if (method === "GET" || method === "HEAD") return [action(repository, "pull")];
  if (method === "DELETE") return [action(repository, "delete")];
  const from = query.get("from");
  const source = query.has("mount") && from !== null ? [action(from, "pull")] : [];
  return [action(repository, "pull"), action(repository, "push"), ...source];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw registryFailure("NAME_INVALID", "the path is not properly escaped");
  }
}
