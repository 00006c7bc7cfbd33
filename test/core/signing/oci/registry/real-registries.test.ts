import { randomBytes } from "node:crypto";
import { systemClock } from "../../../../../src/core/http/call-context";
import {
  mediaTypes,
  readStrings,
  digestOf,
  tagOfDigest,
} from "../../../../../src/core/signing/oci/reference/descriptor";
import type { Manifest } from "../../../../../src/core/signing/oci/registry/manifests";
import { TagLock, updateTag } from "../../../../../src/core/signing/oci/registry/update-tag";
import { referrersOf } from "./referrers-of";
import {
  contextOf,
  failureOf,
  imageOf,
  openClient,
  openRegistry,
  pushImage,
  pushIndex,
  pushReferrer,
  registryKinds,
  type RegistryKind,
} from "./registries";

const context = contextOf();

async function open(kind: RegistryKind) {
  const registry = await openRegistry(kind);
  const client = openClient();
  const repository = { registry, path: "lab/app" };
  return { registry, client, repository };
}

describe.each(registryKinds)("a registry (%s)", (kind) => {
  test("keeps blobs and manifests", async () => {
    const { client, repository } = await open(kind);
    const bytes = randomBytes(300_000);
    const blob = await client.uploads.put(repository, bytes, context);
    expect(await client.blobs.has(repository, blob, context)).toBe(true);
    expect(bytes.equals(await client.blobs.get(repository, blob, context))).toBe(true);
    const pushed = await pushImage(client, repository, "layer", { tag: "v1" });
    const byTag = await client.manifests.get(repository, "v1", context);
    expect(byTag).toMatchObject({ digest: pushed.digest, mediaType: mediaTypes.imageManifest });
    expect(await client.manifests.head(repository, "v1", context)).toEqual({
      digest: pushed.digest,
    });
    expect(await client.manifests.remove(repository, pushed.digest, context)).toBe(true);
    expect(await client.manifests.get(repository, pushed.digest, context)).toBeUndefined();
    expect(await client.manifests.remove(repository, pushed.digest, context)).toBe(false);
  });

  test("reports missing content as missing", async () => {
    const { client, repository } = await open(kind);
    const digest = digestOf(Buffer.from("nothing"));
    expect(await client.manifests.get(repository, "v1", context)).toBeUndefined();
    expect(await client.manifests.head(repository, "v1", context)).toBeUndefined();
    expect(await client.blobs.has(repository, { digest, size: 1 }, context)).toBe(false);
    expect(
      await failureOf(client.blobs.get(repository, { digest, size: 1 }, context)),
    ).toMatchObject({ code: "NOT_FOUND" });
  });

  test("accepts streamed content, also empty content", async () => {
    const { client, repository } = await open(kind);
    const chunk = randomBytes(64 * 1024);
    const bytes = Buffer.concat(Array.from({ length: 40 }, () => chunk));
    // eslint-disable-next-line @typescript-eslint/require-await
    const opened = async function* () {
      for (let number = 0; number < 40; number++) yield chunk;
    };
    const name = { digest: digestOf(bytes), size: bytes.byteLength };
    await client.uploads.push(repository, { ...name, open: opened }, context);
    expect(digestOf(await client.blobs.get(repository, name, context))).toBe(name.digest);
    const empty = await client.uploads.put(repository, Buffer.alloc(0), context);
    expect(await client.blobs.get(repository, empty, context)).toHaveLength(0);
  });

  test("refuses content that does not match its digest", async () => {
    const { client, repository } = await open(kind);
    const name = { digest: digestOf(Buffer.from("a")), size: 1 };
    // eslint-disable-next-line @typescript-eslint/require-await
    const opened = async function* () {
      yield Buffer.from("b");
    };
    const failure = await failureOf(
      client.uploads.push(repository, { ...name, open: opened }, context),
    );
    expect(failure.registryCodes).toContain("DIGEST_INVALID");
  });

  test("mounts a blob from another repository", async () => {
    const { client, repository, registry } = await open(kind);
    const blob = await client.uploads.put(repository, Buffer.from("shared"), context);
    const other = { registry, path: "lab/other" };
    expect(await client.uploads.mount(other, blob.digest, repository, context)).toBe(true);
    expect(await client.blobs.has(other, blob, context)).toBe(true);
    const absent = digestOf(Buffer.from("absent"));
    expect(await client.uploads.mount(other, absent, repository, context)).toBe(false);
  });

  test("finds what is attached to an image, with and without the referrers API", async () => {
    const { client, repository } = await open(kind);
    const image = await pushImage(client, repository, "layer");
    expect(await client.referrers.list(repository, image.digest, context)).toEqual({
      source: kind === "ours" ? "api" : "fallback",
      referrers: [],
    });
    const one = await pushReferrer(client, repository, image, "one");
    const two = await pushReferrer(client, repository, image, "two");
    await pushReferrer(client, repository, image, "two");
    const found = await referrersOf(client, repository, image.digest);
    expect(found.map(({ digest }) => digest).sort()).toEqual([one, two].sort());
    await client.referrers.remove(repository, image.digest, one, context);
    const after = await referrersOf(client, repository, image.digest);
    expect(after.map(({ digest }) => digest)).toEqual([two]);
    await pushReferrer(client, repository, image, "three");
  });

  test("loses nothing when many write to one tag at once", async () => {
    const { client, repository } = await open(kind);
    const config = await client.uploads.put(repository, Buffer.from("{}"), context);
    const layersOf = (current: Manifest | undefined) => {
      const layers = current?.json["layers"];
      return Array.isArray(layers) ? (layers as { digest: string }[]) : [];
    };
    // Two clients share the lock of the process as two resources do.
    const results = await Promise.all(
      [client, openClient(), client].map(async (writer, number) => {
        const layer = await writer.uploads.put(repository, Buffer.from(`layer ${number}`), context);
        const isApplied = (current: Manifest | undefined) =>
          layersOf(current).some(({ digest }) => digest === layer.digest);
        const merge = (current: Manifest | undefined) => {
          const layers = [...layersOf(current), layer] as (typeof layer)[];
          return Promise.resolve(isApplied(current) ? undefined : imageOf(config, layers));
        };
        return writer.updateTag(repository, "shared", { merge, isApplied }, context);
      }),
    );
    expect(results.map(({ wrote }) => wrote)).toEqual([true, true, true]);
    const end = await client.manifests.get(repository, "shared", context);
    expect(layersOf(end)).toHaveLength(3);
  });
});

test.each(registryKinds)("processes that write to one tag lose nothing (%s)", async (kind) => {
  const { repository } = await open(kind);
  // Some registries respond with 500 to who reads a tag while it is written: that passes in a real wait.
  const client = openClient({ clock: systemClock });
  const config = await client.uploads.put(repository, Buffer.from("{}"), context);
  const namesOf = (current: Manifest | undefined) =>
    Object.keys(readStrings(current?.json["annotations"]) ?? {});
  const writers = Array.from({ length: 6 }, (_, number) => `writer.${number}`);
  await Promise.all(
    writers.map((writer) => {
      const isApplied = (current: Manifest | undefined) => namesOf(current).includes(writer);
      const merge = (current: Manifest | undefined) => {
        const names = [...namesOf(current), writer].map((name) => [name, "here"]);
        const image = imageOf(config, [], { annotations: Object.fromEntries(names) as unknown });
        return Promise.resolve(isApplied(current) ? undefined : image);
      };
      // A lock and a real clock of its own each, as in a process of its own.
      const settings = { manifests: client.manifests, lock: new TagLock(), clock: systemClock };
      const random = { random: Math.random };
      const update = { merge, isApplied };
      return updateTag(repository, "shared", update, context, { ...settings, ...random });
    }),
  );
  const end = await client.manifests.get(repository, "shared", context);
  expect(namesOf(end).sort()).toEqual(writers);
});

describe.each(registryKinds.filter((kind) => kind !== "ours"))("a fallback tag (%s)", (kind) => {
  test("that contains an image is kept unchanged, and reported", async () => {
    const { client, repository } = await open(kind);
    const image = await pushImage(client, repository, "layer");
    const tag = tagOfDigest(image.digest);
    const other = await pushImage(client, repository, "other", { tag });
    const listed = await client.referrers.list(repository, image.digest, context);
    expect(listed.referrers).toEqual([]);
    expect(listed.problem).toContain(other.digest);
    const failure = await failureOf(pushReferrer(client, repository, image, "one"));
    expect(failure.code).toBe("TAG_TAKEN");
    expect((await client.manifests.get(repository, tag, context))?.digest).toBe(other.digest);
  });

  test("that contains an index of platforms keeps them next to what is attached", async () => {
    const { client, repository } = await open(kind);
    const image = await pushImage(client, repository, "layer");
    const index = await pushIndex(client, repository, [image]);
    const copied = await client.manifests.get(repository, index.digest, context);
    if (copied === undefined) throw new Error("no index");
    const tag = tagOfDigest(index.digest);
    await client.manifests.put(repository, copied, context, { tag });
    const one = await pushReferrer(client, repository, index, "one");
    const { referrers, problem } = await client.referrers.list(repository, index.digest, context);
    expect(referrers.map(({ digest }) => digest)).toEqual([one]);
    expect(problem).toContain("platforms");
    const held = await client.manifests.get(repository, tag, context);
    expect(held?.json["manifests"]).toHaveLength(2);
  });
});

test("a registry that reads tags as digests is noticed", async () => {
  const registry = await openRegistry("ours", { quirks: ["digest-tags"] });
  const [client, repository] = [openClient(), { registry, path: "lab/app" }];
  const image = await pushImage(client, repository, "layer");
  const index = await pushIndex(client, repository, [image]);
  for (const subject of [image, index]) {
    const listed = await client.referrers.list(repository, subject.digest, context);
    expect(listed).toMatchObject({ referrers: [] });
  }
  const failure = await failureOf(pushReferrer(client, repository, index, "one"));
  expect(failure).toMatchObject({ code: "UNSUPPORTED", status: 0 });
});

test("an index under a fallback tag may refer to missing content", async () => {
  const { client, repository } = await open("ours without referrers");
  const image = await pushImage(client, repository, "layer");
  const one = await pushReferrer(client, repository, image, "one");
  await client.manifests.remove(repository, one, context);
  expect(await referrersOf(client, repository, image.digest)).toEqual([]);
  const two = await pushReferrer(client, repository, image, "two");
  const end = await client.manifests.get(repository, tagOfDigest(image.digest), context);
  expect(JSON.stringify(end?.json["manifests"])).not.toContain(one);
  expect(JSON.stringify(end?.json["manifests"])).toContain(two);
});
