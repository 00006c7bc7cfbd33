import type { IncomingMessage, ServerResponse } from "node:http";
import { answerJson } from "../../../local-service/answer";
import { readBody } from "../../../local-service/read-body";
import type { Listener } from "../../../local-service/service";
import { blobCall } from "./blob-calls";
import { referrersCall, tagsCall } from "./listing-calls";
import { manifestCall } from "./manifest-calls";
import type { AccessCheck } from "./registry-access";
import type { RegistryCall, RegistryState } from "./registry-call";
import { RegistryFailure } from "./registry-failure";
import { checkRepository } from "./registry-name";
import { continueUpload, startUpload } from "./upload-calls";

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
export function registryListener(
  registry: RegistryState,
  access: AccessCheck | undefined,
): Listener {
  return (request, response) => {
    response.setHeader("docker-distribution-api-version", "registry/2.0");
    return serve(registry, access, request, response);
  };
}

async function serve(
  registry: RegistryState,
  access: AccessCheck | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
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
  throw new RegistryFailure("NAME_UNKNOWN", "the registry has no such path");
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
    throw new RegistryFailure("NAME_INVALID", "the path is not properly escaped");
  }
}
