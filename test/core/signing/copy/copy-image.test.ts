import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import type { CopyStep } from "../../../../src/core/signing/copy/copy-manifest";
import { digestOf, tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import { startScriptedServer } from "../../http/scripted-server";
import { referrersOf } from "../oci/registry/referrers-of";
import {
  contextOf,
  openClient,
  openRegistry,
  pushImage,
  pushIndex,
  pushReferrer,
  registryKinds,
  type RegistryKind,
} from "../oci/registry/registries";

const context = contextOf();

/** An index of two images, the second with a signature and a bundle; the index has a bundle too. */
async function openSource(kind: RegistryKind = "ours") {
  const registry = await openRegistry(kind);
  const client = openClient();
  const repository = { registry, path: "lab/app" };
  const one = await pushImage(client, repository, "one");
  const two = await pushImage(client, repository, "two");
  const index = await pushIndex(client, repository, [one, two]);
  const tag = tagOfDigest(two.digest, ".sig");
  const signature = await pushImage(client, repository, "signature", { tag });
  await pushImage(client, repository, "sbom", { tag: tagOfDigest(one.digest, ".sbom") });
  const bundles = [
    await pushReferrer(client, repository, two, "bundle of two"),
    await pushReferrer(client, repository, index, "bundle of the index"),
  ];
  return { registry, client, repository, one, two, index, signature, bundles };
}

describe.each(registryKinds)("to another registry (%s)", (kind) => {
  test("an index is copied with its images and everything attached to them", async () => {
    const { client, repository, one, two, index, signature, bundles } = await openSource();
    const destination = { registry: await openRegistry(kind), path: "mirror/app" };
    const source = { ...repository, digest: index.digest };
    const result = await copyImage(source, destination, { client, context });
    expect(result).toMatchObject({
      copiedRef: `${destination.registry}/mirror/app@${index.digest}`,
      referrers: 2,
      warnings: [],
      mounted: 0,
    });
    for (const { digest } of [index, one, two]) {
      expect((await client.manifests.get(destination, digest, context))?.digest).toBe(digest);
      const plain = await client.manifests.get(destination, tagOfDigest(digest), context);
      // Without a suffix the tag names a list of referrers, or nothing; never the image.
      expect(plain?.digest).not.toBe(digest);
      if (kind === "ours") expect(plain).toBeUndefined();
    }
    const sig = tagOfDigest(two.digest, ".sig");
    expect(await client.manifests.get(destination, sig, context)).toMatchObject({
      digest: signature.digest,
    });
    const found = await Promise.all(
      [two, index].map(async ({ digest }) => {
        const found = await referrersOf(client, destination, digest);
        return found.map((manifest) => manifest.digest);
      }),
    );
    expect(found).toEqual([[bundles[0]], [bundles[1]]]);

    const again = await copyImage(source, destination, { client, context });
    expect(again).toMatchObject({ sentBytes: 0, copiedRef: result.copiedRef, warnings: [] });
  });
});

test("within a registry no blob is transferred", async () => {
  const { client, repository, index, registry } = await openSource();
  const steps: CopyStep[] = [];
  const result = await copyImage(
    { ...repository, digest: index.digest },
    { registry, path: "lab/copy" },
    { client, context, onStep: (step) => steps.push(step) },
  );
  expect(result).toMatchObject({ sentBytes: 0 });
  expect(result.mounted).toBeGreaterThan(0);
  const blobs = steps.filter(({ kind }) => kind === "blob");
  expect(new Set(blobs.map(({ how }) => how))).toEqual(new Set(["mounted"]));
  // What several images share goes over once.
  expect(new Set(blobs.map(({ digest }) => digest)).size).toBe(blobs.length);
});

test("content is written before what refers to it", async () => {
  const { client, repository, index } = await openSource();
  const destination = { registry: await openRegistry("ours"), path: "mirror/app" };
  const steps: CopyStep[] = [];
  await copyImage({ ...repository, digest: index.digest }, destination, {
    client,
    context,
    onStep: (step) => steps.push(step),
  });
  const place = steps.findIndex(({ digest }) => digest === index.digest);
  expect(steps.slice(0, place).filter(({ kind }) => kind === "manifest")).toHaveLength(2);
});

test("an interrupted copy continues where it stopped", async () => {
  const { client, repository, index } = await openSource();
  const destination = { registry: await openRegistry("ours"), path: "mirror/app" };
  const source = { ...repository, digest: index.digest };
  let lastSize = Infinity;
  let finished = false;
  // Broken off one step later each time, at every step that there is.
  for (let steps = 1; !finished && steps < 50; steps++) {
    const abort = new AbortController();
    let left = steps;
    try {
      const result = await copyImage(source, destination, {
        client,
        context: { ...context, signal: abort.signal },
        parallelBlobs: 1,
        onStep: () => {
          if (--left === 0) abort.abort();
        },
      });
      lastSize = result.sentBytes;
      finished = true;
    } catch (failure) {
      expect(failure).toMatchObject({ code: "CANCELLED" });
    }
  }
  expect(finished).toBe(true);
  expect(lastSize).toBe(0);
});

test("a replaced SBOM at the destination is reported", async () => {
  const { client, repository, one } = await openSource();
  const destination = { registry: await openRegistry("ours"), path: "mirror/app" };
  const tag = tagOfDigest(one.digest, ".sbom");
  await pushImage(client, destination, "their SBOM", { tag });
  const source = { ...repository, digest: one.digest };
  const result = await copyImage(source, destination, { client, context });
  expect(result.warnings.join()).toContain(`${tag} contained another SBOM`);
  expect((await copyImage(source, destination, { client, context })).warnings).toEqual([]);
});

test("a bundle hidden by a copied image is reported", async () => {
  const { client, repository, two } = await openSource("ours without referrers");
  const image = await client.manifests.get(repository, two.digest, context);
  if (image === undefined) throw new Error("no image");
  await client.manifests.put(repository, image, context, { tag: tagOfDigest(two.digest) });
  const destination = { registry: await openRegistry("ours"), path: "mirror/app" };
  const source = { ...repository, digest: two.digest };
  const result = await copyImage(source, destination, { client, context });
  expect(result).toMatchObject({ referrers: 0 });
  expect(result.warnings.join()).toContain("contains something else");
});

test("missing content cannot be copied", async () => {
  const registry = await openRegistry("ours");
  const source = { registry, path: "lab/app", digest: digestOf(Buffer.from("none")) };
  const copying = copyImage(source, { registry, path: "b" }, { client: openClient(), context });
  await expect(copying).rejects.toMatchObject({ name: "ImageError", code: "IMAGE_MISSING" });
});

test("a layer that does not match its digest is never written", async () => {
  const wanted = digestOf(Buffer.from("layer"));
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const part = { mediaType: "application/octet-stream", digest: wanted, size: 5 };
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType, config: part, layers: [part] });
  const server = await startScriptedServer(({ url }) => {
    if (url === "/v2/") return {};
    return { body: url.includes("/manifests/") ? manifest : "lay3r" };
  });
  const digest = digestOf(Buffer.from(manifest));
  const source = { registry: `127.0.0.1:${server.port}`, path: "lab/app", digest };
  const destination = { registry: await openRegistry("ours"), path: "mirror/app" };
  const client = openClient();
  await expect(copyImage(source, destination, { client, context })).rejects.toMatchObject({
    code: "WRONG_CONTENT",
  });
  expect(await client.blobs.has(destination, { digest: wanted, size: 1 }, context)).toBe(false);
  expect(await client.manifests.get(destination, digest, context)).toBeUndefined();
});
