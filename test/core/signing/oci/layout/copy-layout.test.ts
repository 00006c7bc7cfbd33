import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { copyImage } from "../../../../../src/core/signing/copy/copy-image";
import {
  formatRepository,
  type Repository,
} from "../../../../../src/core/signing/oci/reference/image-name";
import { tagOfDigest } from "../../../../../src/core/signing/oci/reference/descriptor";
import {
  contextOf,
  openClient,
  openRegistry,
  pushImage,
  pushReferrer,
} from "../registry/registries";
import { clientWithLayouts, layoutKinds, listed, newLayout, openSource, tagsOf } from "./layouts";

const context = contextOf();

/** All files below a folder, with the times of their last changes. */
function filesOf(folder: string): Readonly<Record<string, number>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return Object.fromEntries(files.map((file) => [file, statSync(file).mtimeMs]));
}

describe.each(layoutKinds)("a layout (%s)", (kind) => {
  test("keeps an index with its images and everything attached to them, on the way to a registry", async () => {
    const { client, repository, one, two, index, signature, bundles } = await openSource();
    const layout = newLayout(kind);
    const source = { ...repository, digest: index.digest };
    const tags = ["1.4", "latest"];
    const result = await copyImage(source, layout, { client, context, tags });
    expect(result).toMatchObject({
      copiedRef: `${kind}${layout.path}@${index.digest}`,
      referrers: 2,
      warnings: [],
    });
    // Another client: nothing is kept in memory.
    const reader = clientWithLayouts(openClient());
    const there = { registry: await openRegistry("ours"), path: "mirror/app" };
    const back = await copyImage({ ...layout, digest: index.digest }, there, {
      client: reader,
      context,
      tags,
    });
    expect(back).toMatchObject({ referrers: 2, warnings: [] });
    for (const place of [layout, there]) {
      for (const { digest } of [index, one, two]) {
        expect((await client.manifests.get(place, digest, context))?.digest).toBe(digest);
      }
      const latest = await client.manifests.head(place, "latest", context);
      expect(latest).toEqual({ digest: index.digest });
      const sig = await client.manifests.get(place, tagOfDigest(two.digest, ".sig"), context);
      expect(sig?.digest).toBe(signature.digest);
      const found = [two, index].map(async ({ digest }) => {
        const { referrers } = await client.referrers.list(place, digest, context);
        return referrers.map((each) => each.digest);
      });
      expect(await Promise.all(found)).toEqual([[bundles[0]], [bundles[1]]]);
    }
  });

  test("is not written again by a second copy", async () => {
    const { client, repository, index } = await openSource();
    const layout = newLayout(kind);
    const source = { ...repository, digest: index.digest };
    await copyImage(source, layout, { client, context, tags: ["1.4"] });
    const before = filesOf(dirname(layout.path));
    const again = await copyImage(source, layout, { client, context, tags: ["1.4"] });
    expect(again).toMatchObject({ sentBytes: 0, warnings: [] });
    expect(filesOf(dirname(layout.path))).toEqual(before);
  });

  test("gets further images, and keeps those that it has", async () => {
    const { client, repository, one, two } = await openSource();
    const layout = newLayout(kind);
    for (const { digest } of [one, two]) {
      await copyImage({ ...repository, digest }, layout, { client, context, tags: ["edge"] });
    }
    const late = await pushReferrer(client, repository, one, "a later bundle");
    await copyImage({ ...repository, digest: one.digest }, layout, { client, context });
    const edge = await client.manifests.get(layout, "edge", context);
    expect(edge?.digest).toBe(two.digest);
    // The tag moved, and the image that had it is still there.
    expect(await client.manifests.head(layout, one.digest, context)).toEqual({
      digest: one.digest,
    });
    const { referrers } = await client.referrers.list(layout, one.digest, context);
    expect(referrers).toMatchObject([{ digest: late }]);
  });

  test("that does not exist has no images", async () => {
    const { client, repository, one } = await openSource();
    const layout = newLayout(kind);
    expect(await client.manifests.get(layout, "latest", context)).toBeUndefined();
    await expect(
      copyImage({ ...layout, digest: one.digest }, repository, { client, context }),
    ).rejects.toMatchObject({ code: "IMAGE_MISSING" });
  });

  test("keeps nothing of a copy that failed but whole content", async () => {
    const { client, repository, one } = await openSource();
    const layout = newLayout(kind);
    const stop = new AbortController();
    const copying = copyImage({ ...repository, digest: one.digest }, layout, {
      client,
      context: { ...context, signal: stop.signal },
      onStep: () => {
        stop.abort();
      },
    });
    await expect(copying).rejects.toMatchObject({ code: "CANCELLED" });
    const files = Object.keys(filesOf(dirname(layout.path)));
    expect(files.filter((file) => /\.(?:tmp|lock)$/.test(file))).toEqual([]);
    if (kind === "oci-archive:") expect(files).toEqual([]);
    await copyImage({ ...repository, digest: one.digest }, layout, { client, context });
    expect(await client.manifests.head(layout, one.digest, context)).toBeDefined();
  });

  test("copies of several images at once all arrive", async () => {
    const { client, repository } = await openSource();
    const layout = newLayout(kind);
    const names = ["a", "b", "c", "d", "e", "f"];
    const images = await Promise.all(names.map((name) => pushImage(client, repository, name)));
    await Promise.all(
      images.map(({ digest }, number) =>
        copyImage({ ...repository, digest }, layout, {
          client: clientWithLayouts(openClient()),
          context,
          tags: [String(names[number])],
        }),
      ),
    );
    for (const [number, name] of names.entries()) {
      const found = await client.manifests.head(layout, name, context);
      expect(found?.digest).toBe(images[number]?.digest);
    }
  });
});

test("only images and what is attached to them are listed in a folder, not the images of an index", async () => {
  const { client, repository, index, two, signature, bundles } = await openSource();
  const layout = newLayout();
  const source = { ...repository, digest: index.digest };
  await copyImage(source, layout, { client, context, tags: ["1.4"] });
  expect(
    listed(layout)
      .map(({ digest }) => digest)
      .sort(),
  ).toEqual([index.digest, signature.digest, ...bundles].sort());
  expect(tagsOf(layout)).toEqual({
    "1.4": index.digest,
    [tagOfDigest(two.digest, ".sig")]: signature.digest,
  });
});

test("signatures at both ends are merged under the tag in a layout", async () => {
  const { client, repository, two } = await openSource();
  const layout: Repository = newLayout();
  const source = { ...repository, digest: two.digest };
  const tag = tagOfDigest(two.digest, ".sig");
  await copyImage(source, layout, { client, context });
  await pushImage(client, repository, "another signature", { tag });
  await copyImage(source, layout, { client, context });
  const merged = await client.manifests.get(layout, tag, context);
  expect(merged?.json["layers"]).toHaveLength(2);
  expect(formatRepository(layout)).toBe(`oci:${layout.path}`);
});
