import { isObject, propertiesOf, type Properties } from "../../../../src/core/json/plain-json";
import { isQuirk, quirks, type QuirkName } from "../../../../src/local/signing/registry/quirks";
import { imageType, indexType, openRegistry } from "./registry-client";

/** How a registry with an image and one referrer behaves. */
interface Observed {
  /** The response to a request for referrers. */
  readonly list: number;
  readonly listed: number;
  readonly size: "right" | "larger" | "smaller" | "2⁶³";
  readonly artifactType: unknown;
  readonly annotated: boolean;
  readonly isContinued: boolean;
  /** The response to `sha256-<hex>` of the image, where nothing has that tag. */
  readonly digestTag: number;
  readonly blobsInIndex: number;
  readonly movedTag: number;
  readonly deleted: number;
  readonly listedAfterwards: number;
}

const specified: Observed = {
  list: 200,
  listed: 1,
  size: "right",
  artifactType: "application/vnd.example",
  annotated: true,
  isContinued: false,
  digestTag: 404,
  blobsInIndex: 201,
  movedTag: 201,
  deleted: 202,
  listedAfterwards: 0,
};

const noList = {
  listed: 0,
  size: "right",
  artifactType: undefined,
  annotated: false,
  listedAfterwards: 0,
} as const;

const differences: Readonly<Record<QuirkName, Partial<Observed>>> = {
  "no-referrers-api": { ...noList, list: 404 },
  "referrers-redirect": { ...noList, list: 303 },
  "digest-tags": { ...noList, list: 404, digestTag: 200 },
  "size-too-large": { size: "larger" },
  "size-too-small": { size: "smaller" },
  "config-as-type": { artifactType: "application/octet-stream" },
  "no-artifact-type": { artifactType: undefined, annotated: false },
  "empty-artifact-type": { artifactType: "" },
  "deleted-referrers": { listedAfterwards: 1 },
  "paged-referrers": { isContinued: true },
  "no-delete": { deleted: 405, listedAfterwards: 1 },
  "immutable-tags": { movedTag: 412 },
  "no-blobs-in-indexes": { blobsInIndex: 400 },
  "huge-sizes": { size: "2⁶³" },
  "endless-referrers": { listed: 2, isContinued: true, listedAfterwards: 1 },
  "referrer-cycle": { listed: 4, listedAfterwards: 3 },
};

async function observe(names: readonly QuirkName[]): Promise<Observed> {
  const registry = await openRegistry({ quirks: names });
  const image = await registry.pushImage("a", "x", "x");
  const subject = { mediaType: imageType, digest: image.digest, size: image.size };
  const more = { subject, annotations: { note: "n" }, artifactType: "application/vnd.example" };
  const referrer = await registry.pushImage("a", "r", "signature", more);
  const index = { schemaVersion: 2, mediaType: indexType, manifests: [image.layer] };
  const blobsInIndex = await registry.pushManifest("a", "cache", index, indexType);
  const other = await registry.pushImage("a", "x", "y");
  const path = `/v2/a/referrers/${image.digest}`;
  const list = await registry.call("GET", path);
  const entries = await entriesOf(list);
  const first = entries.find(({ digest }) => digest === referrer.digest) ?? {};
  const digestTag = `/v2/a/manifests/${image.digest.replace(":", "-")}`;
  const tag = await registry.call("HEAD", digestTag);
  const deleted = await registry.call("DELETE", `/v2/a/manifests/${referrer.digest}`);
  return {
    list: list.status,
    listed: entries.length,
    size: sizeOf(first, referrer.size),
    artifactType: first["artifactType"],
    annotated: "annotations" in first,
    isContinued: (list.headers.get("link") ?? "").includes('rel="next"'),
    digestTag: tag.status,
    blobsInIndex: blobsInIndex.status,
    movedTag: other.response.status,
    deleted: deleted.status,
    listedAfterwards: (await entriesOf(await registry.call("GET", path))).length,
  };
}

async function entriesOf(response: Response): Promise<readonly Properties[]> {
  if (response.status !== 200) return [];
  const { manifests } = propertiesOf(await response.json());
  return Array.isArray(manifests) ? manifests.filter(isObject) : [];
}

function sizeOf({ size }: Properties, right: number): Observed["size"] {
  if (size === undefined || size === right) return "right";
  if (size === 2 ** 63) return "2⁶³";
  return Number(size) > right ? "larger" : "smaller";
}

test("a registry without quirks does what the specification says", async () => {
  expect(await observe([])).toEqual(specified);
});

const names = Object.keys(quirks).filter(isQuirk);

test.each(names)("a registry with the quirk %s differs only in that", async (name) => {
  expect(await observe([name])).toEqual({ ...specified, ...differences[name] });
});
