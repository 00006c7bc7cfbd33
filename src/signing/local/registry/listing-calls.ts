import { answerJson } from "../../../local-service/answer";
import type { RegistryCall } from "./registry-call";
import { RegistryFailure } from "./registry-failure";
import { checkDigest } from "./registry-name";

/** `/v2/<name>/tags/list`, in pages if requested. */
export async function tagsCall(call: RegistryCall): Promise<void> {
  const { query, repository } = call;
  checkRead(call);
  const all = await call.registry.manifests.tags(repository);
  const last = query.get("last");
  const rest = last === null ? all : all.filter((tag) => tag > last);
  const count = query.get("n");
  if (count !== null && !/^\d{1,9}$/.test(count)) {
    throw new RegistryFailure("UNSUPPORTED", "n is not an integer");
  }
  const tags = count === null ? rest : rest.slice(0, Number(count));
  const end = tags.at(-1);
  const hasMore = end !== undefined && tags.length < rest.length;
  const next = `</v2/${repository}/tags/list?n=${count ?? ""}&last=${end ?? ""}>; rel="next"`;
  answerJson(call.response, 200, { name: repository, tags }, hasMore ? { link: next } : {});
}

/** `/v2/<name>/referrers/<digest>` */
export async function referrersCall(call: RegistryCall): Promise<void> {
  const { registry } = call;
  checkRead(call);
  if (!registry.referrersApi) {
    throw new RegistryFailure("NAME_UNKNOWN", "this registry does not list referrers");
  }
  const wanted = call.query.get("artifactType");
  const found = await registry.manifests.referrers(call.repository, checkDigest(call.target));
  const manifests = found.filter((entry) => wanted === null || artifactType(entry) === wanted);
  const body = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests,
  };
  answerJson(call.response, 200, body, {
    "content-type": body.mediaType,
    ...(wanted === null ? {} : { "oci-filters-applied": "artifactType" }),
  });
}

function artifactType(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null ? Reflect.get(entry, "artifactType") : null;
}

function checkRead({ method }: RegistryCall): void {
  if (method !== "GET" && method !== "HEAD") {
    throw new RegistryFailure("UNSUPPORTED", "a list is only read");
  }
}
