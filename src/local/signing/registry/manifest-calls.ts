import { parsedJson, type Properties, propertiesOf } from "../../../core/json/plain-json";
import { algorithmOf, type Digest, digestOf } from "../../../core/signing/oci/reference/descriptor";
import { answerBytes, answerEmpty, answerJson, type HttpFailure } from "../../service/answer";
import { readBody } from "../../service/request";
import { type Manifest, parseManifest } from "./manifest";
import type { RegistryCall } from "./blob-calls";
import {
  checkDigest,
  checkReference,
  checkTag,
  readReference,
  registryFailure,
} from "./registry-failure";

/** `/v2/<name>/manifests/<reference>` */
export async function manifestCall(call: RegistryCall): Promise<void> {
  switch (call.method) {
    case "GET":
    case "HEAD":
      return getManifest(call);
    case "PUT":
      return putManifest(call);
    case "DELETE":
      return deleteManifest(call);
    default:
      throw registryFailure("UNSUPPORTED", "a manifest does not support this method");
  }
}

async function getManifest(call: RegistryCall): Promise<void> {
  const { digest, mediaType } = await find(call);
  const bytes = await call.registry.manifests.read(digest);
  answerBytes(call.response, 200, bytes, {
    "content-type": mediaType,
    "docker-content-digest": digest,
    etag: `"${digest}"`,
  });
}

async function putManifest(call: RegistryCall): Promise<void> {
  const { registry, repository } = call;
  const reference = checkReference(call.target);
  const bytes = await readBody(call.request, registry.maxManifestBytes);
  const isDigest = "digest" in reference;
  const digest = digestOf(bytes, isDigest ? algorithmOf(reference.digest) : "sha256");
  if (isDigest && reference.digest !== digest) {
    throw registryFailure("DIGEST_INVALID", `the manifest has digest ${digest}`);
  }
  const tags = isDigest ? call.query.getAll("tag").map(checkTag) : [reference.tag];
  const [contentType = ""] = (call.request.headers["content-type"] ?? "").split(";");
  const manifest = parseManifest(bytes, contentType.trim());
  await checkReferences(call, manifest);
  if (!registry.behavior.movesTags) await checkUnmoved(call, tags, digest);
  await registry.manifests.put(repository, digest, bytes, manifest, tags);
  registry.log(`stored a manifest of ${repository}: ${tags.join(",")}@${digest}`);
  const { subject } = manifest;
  answerEmpty(call.response, 201, {
    location: `/v2/${repository}/manifests/${digest}`,
    "docker-content-digest": digest,
    ...(isDigest && tags.length > 0 ? { "oci-tag": tags.join(", ") } : {}),
    ...(subject !== undefined && registry.behavior.referrers === "list"
      ? { "oci-subject": subject }
      : {}),
  });
}

/** By the specification, only the subject may be missing. */
async function checkReferences(call: RegistryCall, manifest: Manifest): Promise<void> {
  const { registry, repository } = call;
  for (const { digest, size } of manifest.blobs) {
    const found = await registry.blobs.size(repository, digest);
    if (found === undefined) throw missing(digest);
    if (found !== size) {
      const problem = `${digest} has ${found} bytes, but the manifest declares ${size}`;
      throw registryFailure("MANIFEST_INVALID", problem);
    }
  }
  for (const { digest, isManifest } of manifest.manifests) {
    if ((await registry.manifests.find(repository, digest)) !== undefined) continue;
    // BuildKit's cache is an index of layers.
    const mayBeBlob = !isManifest && registry.behavior.indexesBlobs;
    if (!mayBeBlob || (await registry.blobs.size(repository, digest)) === undefined) {
      throw missing(digest);
    }
  }
}

async function checkUnmoved(
  { registry, repository }: RegistryCall,
  tags: readonly string[],
  digest: Digest,
): Promise<void> {
  for (const tag of tags) {
    const before = await registry.manifests.resolve(repository, { tag });
    if (before !== undefined && before !== digest) {
      throw registryFailure("PRECONDITION", `the tag ${tag} is immutable`);
    }
  }
}

function missing(digest: Digest): HttpFailure {
  const problem = `the repository does not contain ${digest}, which the manifest refers to`;
  return registryFailure("MANIFEST_BLOB_UNKNOWN", problem);
}

async function deleteManifest(call: RegistryCall): Promise<void> {
  const { registry, repository } = call;
  const { deletes, lists } = registry.behavior;
  if (!deletes) throw registryFailure("UNSUPPORTED", "this registry does not delete manifests");
  const { reference, digest } = await find(call);
  if ("tag" in reference) await registry.manifests.removeTag(repository, reference.tag);
  else await registry.manifests.remove(repository, digest, lists === "deleted too");
  registry.log(`deleted a manifest of ${repository}: ${call.target}`);
  answerEmpty(call.response, 202);
}

async function find({ registry, repository, target }: RegistryCall) {
  const text = registry.behavior.digestTags
    ? target.replace(/^(sha256)-(?=[\da-f]{64}$)/, "$1:")
    : target;
  const reference = readReference(text);
  const digest = reference && (await registry.manifests.resolve(repository, reference));
  const entry = digest && (await registry.manifests.find(repository, digest));
  if (reference === undefined || digest === undefined || entry === undefined) {
    throw registryFailure("MANIFEST_UNKNOWN", "the repository does not have this manifest");
  }
  return { reference, digest, mediaType: entry.mediaType };
}

/** `/v2/<name>/tags/list`, in pages if requested. */
export async function tagsCall(call: RegistryCall): Promise<void> {
  const { query, repository } = call;
  checkRead(call);
  const all = await call.registry.manifests.tags(repository);
  const last = query.get("last");
  const rest = last === null ? all : all.filter((tag) => tag > last);
  const count = query.get("n");
  if (count !== null && !/^\d{1,9}$/.test(count)) {
    throw registryFailure("UNSUPPORTED", "n is not an integer");
  }
  const tags = count === null ? rest : rest.slice(0, Number(count));
  const end = tags.at(-1);
  const hasMore = end !== undefined && tags.length < rest.length;
  const next = `</v2/${repository}/tags/list?n=${count ?? ""}&last=${end ?? ""}>; rel="next"`;
  answerJson(call.response, 200, { name: repository, tags }, hasMore ? { link: next } : {});
}

/** @throws HttpFailure for a method that writes */
function checkRead({ method }: RegistryCall): void {
  if (method !== "GET" && method !== "HEAD") {
    throw registryFailure("UNSUPPORTED", "a list can only be read");
  }
}

/** `/v2/<name>/referrers/<digest>`, with the quirks of the registry. */
export async function referrersCall(call: RegistryCall): Promise<void> {
  const { registry, query, repository, target, response } = call;
  checkRead(call);
  const { referrers, pages } = registry.behavior;
  if (referrers === "missing") {
    // oras reads NAME_UNKNOWN as an unknown repository.
    throw registryFailure("MANIFEST_UNKNOWN", "this registry does not list referrers");
  }
  if (referrers === "elsewhere") {
    answerEmpty(response, 303, { location: "http://localhost:9/sign-in" });
    return;
  }
  const wanted = query.get("artifactType");
  const all = (await entries(call)).filter(
    ({ artifactType }) => wanted === null || artifactType === wanted,
  );
  const page = Number(query.get("page") ?? 1);
  const manifests = {
    one: all,
    many: all.slice(page - 1, page),
    endless: [...(page === 1 ? all : []), invented(page)],
  }[pages];
  const hasNext = pages === "endless" || (pages === "many" && page <= all.length);
  const next = `/v2/${repository}/referrers/${target}?page=${page + 1}`;
  const mediaType = "application/vnd.oci.image.index.v1+json";
  answerJson(
    response,
    200,
    { schemaVersion: 2, mediaType, manifests },
    {
      "content-type": mediaType,
      ...(wanted === null ? {} : { "oci-filters-applied": "artifactType" }),
      ...(hasNext ? { link: `<${next}>; rel="next"` } : {}),
    },
  );
}

async function entries({ registry, repository, target }: RegistryCall) {
  const { manifests, behavior } = registry;
  const { entry: change } = behavior;
  const listed =
    behavior.lists === "everything"
      ? await manifests.all(repository)
      : await manifests.referrers(repository, checkDigest(target));
  if (change === undefined) return listed;
  const changed = listed.map(async (entry) => {
    const json = parsedJson((await manifests.read(entry.digest)).toString("utf8"));
    return change(entry, propertiesOf(json));
  });
  return Promise.all(changed);
}

function invented(page: number): Properties {
  return {
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    artifactType: "application/vnd.dev.sigstore.bundle.v0.3+json",
    digest: digestOf(Buffer.from(`invented ${page}`)),
    size: 700,
  };
}
