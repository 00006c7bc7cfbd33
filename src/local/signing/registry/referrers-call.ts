import { answerEmpty, answerJson } from "../../service/answer";
import { parsedJson, propertiesOf, type Properties } from "../../../core/json/plain-json";
import { digestOf } from "../../../core/signing/oci/reference/descriptor";
import { checkRead } from "./manifest-calls";
import type { RegistryCall } from "./registry-call";
import { checkDigest, RegistryFailure } from "./registry-failure";

/** `/v2/<name>/referrers/<digest>`, with the quirks of the registry. */
export async function referrersCall(call: RegistryCall): Promise<void> {
  const { registry, query, repository, target, response } = call;
  checkRead(call);
  const { referrers, pages } = registry.behavior;
  if (referrers === "missing") {
    // oras reads NAME_UNKNOWN as an unknown repository.
    throw new RegistryFailure("MANIFEST_UNKNOWN", "this registry does not list referrers");
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
