import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyImage } from "../../../../../src/core/signing/copy/copy-image";
import { hexOf, type Digest } from "../../../../../src/core/signing/oci/reference/descriptor";
import type { Repository } from "../../../../../src/core/signing/oci/reference/image-name";
import { closeAfterTest } from "../../../http/close-after-test";
import { contextOf, failureOf, openClient } from "../registry/registries";
import {
  clientWithLayouts,
  layoutKinds,
  listed,
  newFolder,
  newLayout,
  openSource,
} from "./layouts";

const context = contextOf();

/** A layout with one image in a folder. */
async function openLayout() {
  const { client, repository, one } = await openSource();
  const layout = newLayout();
  await copyImage({ ...repository, digest: one.digest }, layout, { client, context, tags: ["1"] });
  const blob = (digest: Digest): string => join(layout.path, "blobs", "sha256", hexOf(digest));
  const read = () => client.manifests.get(layout, "1", context);
  return { client, repository, layout, one, blob, read };
}

test("content that does not match its digest is noticed when it is read", async () => {
  const { client, layout, one, blob, read } = await openLayout();
  const layer = (await read())?.json["layers"] as readonly { digest: Digest; size: number }[];
  const [{ digest, size } = { digest: one.digest, size: 0 }] = layer;
  writeFileSync(blob(digest), "x".repeat(size));
  const failure = await failureOf(client.blobs.get(layout, { digest, size }, context));
  expect(failure).toMatchObject({ code: "WRONG_CONTENT" });
  expect(failure.message).toContain(`oci:${layout.path}@${digest} has wrong content`);
  writeFileSync(blob(one.digest), "{}");
  expect(await failureOf(read())).toMatchObject({ code: "WRONG_CONTENT" });
});

test("a blob that was cut short is written again", async () => {
  const { client, repository, layout, one, blob } = await openLayout();
  truncateSync(blob(one.digest), 3);
  const tampered = (await client.manifests.get(repository, one.digest, context))?.json["layers"];
  const [layer] = tampered as readonly { digest: Digest }[];
  if (layer !== undefined) truncateSync(blob(layer.digest), 1);
  rmSync(join(layout.path, "index.json"));
  const copying = copyImage({ ...repository, digest: one.digest }, layout, { client, context });
  expect(await copying).toMatchObject({ warnings: [] });
  expect((await client.manifests.get(layout, one.digest, context))?.digest).toBe(one.digest);
});

test.each(["index.json", "oci-layout", "blobs/sha256", "blobs"])(
  "a symbolic link at %s is not followed, neither to read nor to write",
  async (name) => {
    const { client, repository, layout, one, read } = await openLayout();
    const outside = join(newFolder(), "elsewhere");
    renameSync(join(layout.path, name), outside);
    symlinkSync(outside, join(layout.path, name));
    expect(await failureOf(read())).toMatchObject({ code: "LAYOUT" });
    const source = { ...repository, digest: one.digest };
    const copying = copyImage(source, layout, { client, context, tags: ["2"] });
    expect((await failureOf(copying)).message).toContain("symbolic link");
  },
);

test("a pipe in place of a file does not block", async () => {
  const { layout, read } = await openLayout();
  rmSync(join(layout.path, "index.json"));
  execFileSync("mkfifo", [join(layout.path, "index.json")]);
  expect((await failureOf(read())).message).toContain("something other than a file at index.json");
});

test("digests that are paths are not read", async () => {
  const { client, layout } = await openLayout();
  const path = join(layout.path, "index.json");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/sha256:[0-9a-f]{64}/, "sha256:../../../../../../etc/passwd"));
  expect(await client.manifests.get(layout, "1", context)).toBeUndefined();
});

test.each([
  ["[]", "without a list of manifests"],
  ["{}", "without a list of manifests"],
  ["{", "has an index.json that cannot be read: "],
  [`{"manifests":[${"[".repeat(200)}${"]".repeat(200)}]}`, "cannot be read: more than 100 levels"],
  [`{"manifests":[],"x":"${"x".repeat(16 * 1024 * 1024)}"}`, "the maximum"],
])("an index.json that is %.12s is refused", async (text, problem) => {
  const { layout, read } = await openLayout();
  writeFileSync(join(layout.path, "index.json"), text);
  expect((await failureOf(read())).message).toContain(problem);
});

test("entries of others stay in index.json as they are", async () => {
  const { client, repository, layout, one } = await openLayout();
  const path = join(layout.path, "index.json");
  const [own] = listed(layout);
  const foreign = { mediaType: "application/x", digest: "md5:1", size: 1, data: "x", more: [1] };
  const index = { schemaVersion: 2, annotations: { a: "b" }, manifests: [foreign, own] };
  writeFileSync(path, JSON.stringify(index));
  const source = { ...repository, digest: one.digest };
  await copyImage(source, layout, { client, context, tags: ["2"] });
  const written = JSON.parse(readFileSync(path, "utf8")) as typeof index;
  expect(written.annotations).toEqual(index.annotations);
  expect(written.manifests.slice(0, 2)).toEqual([foreign, own]);
  expect(written.manifests).toHaveLength(3);
});

test("a folder with other files is not made a layout", async () => {
  const { client, repository, one } = await openSource();
  const layout: Repository = { registry: "oci:", path: newFolder() };
  writeFileSync(join(layout.path, "notes.txt"), "mine");
  const copying = copyImage({ ...repository, digest: one.digest }, layout, { client, context });
  const failure = await failureOf(copying);
  expect(failure).toMatchObject({ code: "LAYOUT" });
  expect(failure.message).toContain("use an empty or a new folder");
});

test("a file is no folder, and a folder is no archive", async () => {
  const { client, layout } = await openLayout();
  const file = { registry: "oci:", path: join(layout.path, "index.json") };
  expect((await failureOf(client.manifests.get(file, "1", context))).message).toContain(
    "write oci-archive:",
  );
  const folder = { registry: "oci-archive:", path: layout.path };
  expect((await failureOf(client.manifests.get(folder, "1", context))).message).toContain(
    "write oci: for a folder",
  );
});

test("a lock that a killed process left is removed after a while", async () => {
  const { client, repository, layout, one } = await openLayout();
  const lock = join(layout.path, ".index.json.lock");
  writeFileSync(lock, "");
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lock, longAgo, longAgo);
  const source = { ...repository, digest: one.digest };
  await copyImage(source, layout, { client, context, tags: ["2"] });
  expect((await client.manifests.head(layout, "2", context))?.digest).toBe(one.digest);
  expect(existsSync(lock)).toBe(false);
});

test("a lock is kept if another process replaces the one that was left over first", async () => {
  const { client, repository, layout, one } = await openLayout();
  const lock = join(layout.path, ".index.json.lock");
  writeFileSync(lock, "");
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(lock, longAgo, longAgo);
  const lstat = promises.lstat.bind(promises);
  let looks = 0;
  const spy = jest.spyOn(promises, "lstat").mockImplementation(async (name) => {
    const found = await lstat(name);
    if (name !== lock) return found;
    looks++;
    if (looks === 1) {
      rmSync(lock);
      writeFileSync(lock, "of another process");
    } else if (looks === 2) {
      // The other process works until here.
      expect(readFileSync(lock, "utf8")).toBe("of another process");
      rmSync(lock);
    }
    return found;
  });
  closeAfterTest(() => spy.mockRestore());
  const source = { ...repository, digest: one.digest };
  await copyImage(source, layout, { client, context, tags: ["2"] });
  expect(looks).toBe(2);
  expect((await client.manifests.head(layout, "2", context))?.digest).toBe(one.digest);
});

test.each<[string, (lock: string) => void]>([
  ["a link to nothing", (lock) => symlinkSync("/nonexistent", lock)],
  ["a link to a file", (lock) => symlinkSync("/etc/hostname", lock)],
  ["a link to itself", (lock) => symlinkSync(lock, lock)],
  ["a folder", (lock) => mkdirSync(lock)],
  ["a pipe", (lock) => execFileSync("mkfifo", [lock])],
])("%s as a lock is an error at once, and stays", async (_, plant) => {
  const { client, repository, layout, one } = await openLayout();
  const lock = join(layout.path, ".index.json.lock");
  plant(lock);
  const longAgo = Date.now() / 1000 - 60;
  lutimesSync(lock, longAgo, longAgo);
  const source = { ...repository, digest: one.digest };
  const failure = await failureOf(copyImage(source, layout, { client, context, tags: ["2"] }));
  expect(failure).toMatchObject({ code: "LAYOUT" });
  expect(failure.message).toContain("something other than a file at .index.json.lock");
  expect(lstatSync(lock).isFile()).toBe(false);
});

test("the wait for a lock ends with the call", async () => {
  const { client, repository, layout, one } = await openLayout();
  const lock = join(layout.path, ".index.json.lock");
  writeFileSync(lock, "");
  const source = { ...repository, digest: one.digest };
  const ending = { ...context, deadline: Date.now() + 1000 };
  const copying = copyImage(source, layout, { client, context: ending, tags: ["2"] });
  expect(await failureOf(copying)).toMatchObject({ code: "DEADLINE" });
  expect(lstatSync(lock).isFile()).toBe(true);
});

test.each(layoutKinds)(
  "a call of a layout %s that has ended reads and writes nothing",
  async (kind) => {
    const { client, repository, one } = await openSource();
    const layout = newLayout(kind);
    const source = { ...repository, digest: one.digest };
    await copyImage(source, layout, { client, context, tags: ["1"] });
    const cancelled = { ...context, signal: AbortSignal.abort() };
    const late = { ...context, deadline: Date.now() - 1 };
    // A client that has read nothing yet.
    const fresh = () => clientWithLayouts(openClient());
    const { size, mediaType, digest } = one;
    for (const [ended, code] of [
      [cancelled, "CANCELLED"],
      [late, "DEADLINE"],
    ] as const) {
      for (const call of [
        fresh().manifests.get(layout, "1", ended),
        fresh().manifests.head(layout, "1", ended),
        fresh().blobs.get(layout, { digest, size }, ended),
        fresh().blobs.has(layout, { digest, size }, ended),
        fresh().uploads.put(layout, Buffer.from("x"), ended),
        fresh().referrers.list(layout, digest, ended),
        fresh().writeImage(layout, { mediaType, digest, size }, ended, () =>
          fresh().manifests.get(layout, "1", ended),
        ),
      ]) {
        expect(await failureOf(call)).toMatchObject({ code });
      }
    }
  },
);

test("what exists in an archive is not copied after the call has ended", async () => {
  const { client, repository, one, two } = await openSource();
  const archive = newLayout("oci-archive:");
  await copyImage({ ...repository, digest: one.digest }, archive, { client, context });
  const before = readFileSync(archive.path);
  const stop = new AbortController();
  const copying = copyImage({ ...repository, digest: two.digest }, archive, {
    client,
    context: { ...context, signal: stop.signal },
    onStep: () => {
      stop.abort();
    },
  });
  expect(await failureOf(copying)).toMatchObject({ code: "CANCELLED" });
  expect(readFileSync(archive.path).equals(before)).toBe(true);
  expect(readdirSync(dirname(archive.path))).toEqual([basename(archive.path)]);
});

test("nothing is removed from a layout, and no tag is set in an archive outside of a copy", async () => {
  const { client, layout, one, repository } = await openLayout();
  expect(await failureOf(client.manifests.remove(layout, one.digest, context))).toMatchObject({
    code: "UNSUPPORTED",
  });
  const archive = newLayout("oci-archive:");
  const manifest = await client.manifests.get(repository, one.digest, context);
  if (manifest === undefined) throw new Error("there is no manifest");
  const putting = client.manifests.put(archive, manifest, context, { tag: "1" });
  expect(await failureOf(putting)).toMatchObject({ code: "LAYOUT" });
});

test("an archive that another process replaces meanwhile is kept", async () => {
  const { client, repository, one } = await openSource();
  const archive = newLayout("oci-archive:");
  mkdirSync(dirname(archive.path), { recursive: true });
  const copying = copyImage({ ...repository, digest: one.digest }, archive, {
    client,
    context,
    onStep() {
      writeFileSync(archive.path, "theirs");
    },
  });
  expect(await failureOf(copying)).toMatchObject({ code: "CONTENTION" });
  expect(readFileSync(archive.path, "utf8")).toBe("theirs");
});
