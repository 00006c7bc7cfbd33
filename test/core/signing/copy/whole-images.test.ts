import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import type { QuirkName } from "../../../../src/local/signing/registry/quirks";
import {
  digestOf,
  tagOfDigest,
  readDescriptors,
} from "../../../../src/core/signing/oci/reference/descriptor";
import type {
  DigestReference,
  Repository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { notationType } from "../../../../src/core/signing/sigstore/format/manifest";
import { attaching, startFront } from "../oci/registry/front";
import { openRegistry } from "../oci/registry/registries";
import { referrersOf } from "../oci/registry/referrers-of";
import { attachedTo } from "../sign/attached";
import { sign } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";
import { treeOf } from "../tree/trees";
import { attachArtifact } from "../verify/other-attachments";

const ada = "ada@example.com";
const spdx = "application/spdx+json";
const indexType = "application/vnd.oci.image.index.v1+json";
const sbom = { bytes: Buffer.from('{"spdxVersion":"SPDX-2.3"}'), mediaType: spdx };

/** An image with an SBOM that is signed in both formats, and a copy of it in another registry. */
async function open(quirks: readonly QuirkName[] = [], there: readonly QuirkName[] = []) {
  const bench = await openBench({ quirks });
  const image = await bench.pushImage("whole");
  const registry = await openRegistry("ours", { quirks: there });
  const mirror: Repository = { registry, path: "mirror/app" };
  const copy = (source: DigestReference = image) =>
    copyImage(source, mirror, { client: bench.registry, context: inTime() });
  return { bench, image, mirror, copy };
}

describe.each<readonly [string, readonly QuirkName[]]>([
  ["with the referrers API", []],
  ["without it", ["no-referrers-api"]],
  ["where everything refers to everything", ["referrer-cycle"]],
])("a signed SBOM of an image, %s", (_, quirks) => {
  test("is copied with its signatures, and those of them", async () => {
    const { bench, image, mirror, copy } = await open(quirks, quirks);
    const list = { ...image, ...(await attachArtifact(bench, image, spdx, sbom)) };
    await sign(bench, bench.person(ada), list, { format: "both" });
    const [signature] = await referrersOf(bench.registry, bench.repository, list.digest);
    if (signature === undefined) throw new Error("nothing is signed");
    const again = { ...image, digest: signature.digest };
    await sign(bench, bench.person(ada), again, { format: "bundle" });
    expect(await copy()).toMatchObject({ referrers: 3, warnings: [] });
    const copied = { ...bench, repository: mirror };
    expect(await attachedTo(copied, list).signatures()).toEqual([ada]);
    expect(await attachedTo(copied, list).bundles("signature")).toEqual([ada]);
    expect(await attachedTo(copied, again).bundles("signature")).toEqual([ada]);
    expect(await copy()).toMatchObject({ sentBytes: 0, warnings: [] });
  });

  test("is shown in the tree with its signatures", async () => {
    const { bench, image } = await open(quirks);
    const list = { ...image, ...(await attachArtifact(bench, image, spdx, sbom)) };
    await sign(bench, bench.person(ada), list, { format: "both" });
    const { attached } = await treeOf(bench, image);
    const signature = { kind: "signature", check: { result: "verified" } };
    const ofList = attached.filter(({ digest }) => digest === list.digest);
    expect(ofList).toMatchObject([
      { kind: "artifact", type: spdx, attached: [signature, signature] },
    ]);
  });
});

test("BuildKit's cache, an index of blobs, is copied and signed", async () => {
  const { bench, mirror, copy } = await open();
  const { registry, repository } = bench;
  const layer = await registry.uploads.put(repository, Buffer.from("layer"), inTime());
  const config = await registry.uploads.put(repository, Buffer.from('{"layers":[]}'), inTime());
  const manifests = [
    { ...layer, mediaType: "application/vnd.oci.image.layer.v1.tar+gzip" },
    { ...config, mediaType: "application/vnd.buildkit.cacheconfig.v0" },
  ];
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests }));
  const index = { mediaType: indexType, bytes };
  const { digest } = await registry.manifests.put(repository, index, inTime());
  const cache = { ...repository, digest };
  await sign(bench, bench.person(ada), cache);
  expect(await copy(cache)).toMatchObject({ warnings: [], blobs: 4 });
  expect(await registry.blobs.get(mirror, layer, inTime())).toEqual(Buffer.from("layer"));
  expect(await attachedTo({ ...bench, repository: mirror }, cache).signatures()).toEqual([ada]);
  const tree = await treeOf(bench, cache);
  expect(tree).toMatchObject({ images: [], notes: [], attached: [{ kind: "signature" }] });
});

test("a registry without the referrers API lists the type of a configuration, as Notation's clients expect", async () => {
  const { bench, image, mirror, copy } = await open([], ["no-referrers-api"]);
  const { registry, repository } = bench;
  const own = await attachArtifact(bench, image, "a/b", { bytes: sbom.bytes, mediaType: spdx });
  const found = await registry.manifests.get(repository, own.digest, inTime());
  const { artifactType: _, ...json } = found?.json ?? {};
  const config = { ...(json["config"] as object), mediaType: notationType };
  const bytes = Buffer.from(JSON.stringify({ ...json, config }));
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  await registry.referrers.add(repository, image.digest, { mediaType, bytes }, inTime());
  await copy();
  const { referrers, source } = await registry.referrers.list(mirror, image.digest, inTime());
  expect(source).toBe("fallback");
  expect(referrers.find(({ digest }) => digest === digestOf(bytes))).toMatchObject({
    artifactType: notationType,
  });
});

test.each(["size-too-large", "size-too-small", "huge-sizes"] as const)(
  "a bundle is copied from a registry with the quirk %s",
  async (quirk) => {
    const { bench, image, mirror, copy } = await open([quirk]);
    await sign(bench, bench.person(ada), image, { format: "bundle" });
    expect(await copy()).toMatchObject({ referrers: 1, warnings: [] });
    const copied = attachedTo({ ...bench, repository: mirror }, image);
    expect(await copied.bundles("signature")).toEqual([ada]);
  },
);

describe("a copy fails when a signature of the source cannot be copied, after all else", () => {
  /** The source, with other bytes for some content. */
  const broken = async (opened: Awaited<ReturnType<typeof open>>, isBroken: RegExp) => {
    const { bench, image } = opened;
    const front = await startFront(bench.local.addresses.registry, ({ method, url }) =>
      method === "GET" && isBroken.test(url) ? { status: 200, body: "{}" } : undefined,
    );
    return { ...image, registry: front.host };
  };

  test("a bundle", async () => {
    const opened = await open();
    const { bench, image, mirror, copy } = opened;
    await sign(bench, bench.person(ada), image, { format: "both" });
    const [bundle] = await referrersOf(bench.registry, bench.repository, image.digest);
    const source = await broken(opened, new RegExp(`manifests/${bundle?.digest}`));
    await expect(copy(source)).rejects.toMatchObject({
      code: "SIGNATURES",
      message: expect.stringContaining(`${bundle?.digest} was not copied`) as string,
    });
    const copied = attachedTo({ ...bench, repository: mirror }, image);
    expect(await copied.signatures()).toEqual([ada]);
  });

  test("a layer", async () => {
    const opened = await open();
    const { bench, image, copy } = opened;
    await sign(bench, bench.person(ada), image);
    const tag = tagOfDigest(image.digest, ".sig");
    const tagged = await bench.registry.manifests.get(bench.repository, tag, inTime());
    const [layer] = readDescriptors(tagged?.json["layers"]);
    const source = await broken(opened, new RegExp(`blobs/${layer?.digest}`));
    await expect(copy(source)).rejects.toMatchObject({ code: "SIGNATURES" });
  });

  test("but not because of what a list only claims", async () => {
    const { bench, image, copy } = await open();
    const gone = { mediaType: indexType, digest: digestOf(Buffer.from("gone")), size: 4 };
    const listed = { ...gone, artifactType: notationType };
    const script = attaching({ referrers: [listed] });
    const front = await startFront(bench.local.addresses.registry, script);
    const result = await copy({ ...image, registry: front.host });
    expect(result).toMatchObject({ referrers: 0, warnings: [] });
  });
});
