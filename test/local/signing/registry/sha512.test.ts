import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, imageType, indexType, openRegistry, type TestRegistry } from "./registry-client";

let registry: TestRegistry;
beforeEach(async () => {
  registry = await openRegistry();
});

const bytes = Buffer.from("the content of a blob");
const digest = digestOf(bytes, "sha512");

/** An image of one layer, with sha512 digests only. */
async function pushImage(extra = {}) {
  const config = await registry.pushBlob("a", Buffer.from("{}"), "sha512");
  const layer = await registry.pushBlob("a", bytes, "sha512");
  const manifest = { schemaVersion: 2, mediaType: imageType, config, layers: [layer], ...extra };
  const stored = Buffer.from(JSON.stringify(manifest));
  const name = digestOf(stored, "sha512");
  const response = await registry.pushManifest("a", name, manifest);
  return { manifest, bytes: stored, digest: name, response };
}

describe("a blob with a sha512 digest", () => {
  it("is stored in one request, or in chunks, and read and mounted by it", async () => {
    await registry.pushBlob("a", bytes, "sha512");
    const started = await registry.call("POST", "/v2/b/blobs/uploads/?digest-algorithm=sha512");
    const location = started.headers.get("location") ?? "";
    await registry.call("PATCH", location, bytes.subarray(0, 5));
    const end = await registry.call("PUT", `${location}?digest=${digest}`, bytes.subarray(5));
    expect([end.status, end.headers.get("docker-content-digest")]).toEqual([201, digest]);
    const mounted = await registry.call("POST", `/v2/c/blobs/uploads/?mount=${digest}&from=a`);
    expect(mounted.status).toBe(201);
    for (const repository of ["a", "b", "c"]) {
      const read = await registry.call("GET", `/v2/${repository}/blobs/${digest}`);
      expect([read.headers.get("docker-content-digest"), await read.text()]).toEqual([
        digest,
        bytes.toString(),
      ]);
    }
  });

  it("is refused when its content has another one, and nothing of it is kept", async () => {
    const path = `/v2/a/blobs/uploads/?digest=${digestOf(Buffer.from("other"), "sha512")}`;
    expect(await registry.errorCode(await registry.call("POST", path, bytes))).toBe(
      "400 DIGEST_INVALID",
    );
    expect(await readdir(join(registry.folder, "uploads"))).toEqual([]);
  });

  it("is not found by the sha256 of its content, under which it was not stored", async () => {
    await registry.pushBlob("a", bytes, "sha512");
    expect((await registry.call("HEAD", `/v2/a/blobs/${digestOf(bytes)}`)).status).toBe(404);
  });

  it.each([
    `sha512:${"a".repeat(64)}`,
    `sha256:${"a".repeat(128)}`,
    `sha384:${"a".repeat(96)}`,
    digest.toUpperCase().replace("SHA512", "sha512"),
  ])("cannot be %s", async (name) => {
    expect(await registry.errorCode(await registry.call("GET", `/v2/a/blobs/${name}`))).toBe(
      "400 DIGEST_INVALID",
    );
  });
});

describe("a manifest with a sha512 digest", () => {
  it("is stored, read, listed in an index and deleted by it, also after a restart", async () => {
    const image = await pushImage();
    expect(image.response.headers.get("docker-content-digest")).toBe(image.digest);
    const size = image.bytes.byteLength;
    const entry = { mediaType: imageType, digest: image.digest, size };
    const index = { schemaVersion: 2, mediaType: indexType, manifests: [entry] };
    expect((await registry.pushManifest("a", "index", index, indexType)).status).toBe(201);
    await registry.close();
    registry = await openRegistry({}, registry.folder);
    const path = `/v2/a/manifests/${image.digest}`;
    const read = await registry.call("GET", path);
    expect(Buffer.from(await read.arrayBuffer()).equals(image.bytes)).toBe(true);
    expect((await registry.call("DELETE", path)).status).toBe(202);
    expect((await registry.call("HEAD", path)).status).toBe(404);
  });

  it("is refused when its content has another one", async () => {
    const { manifest } = await pushImage();
    const other = { ...manifest, annotations: { other: "content" } };
    const name = digestOf(Buffer.from(JSON.stringify(manifest)), "sha512");
    const refused = await registry.pushManifest("a", name, other);
    expect(await registry.errorCode(refused)).toBe("400 DIGEST_INVALID");
  });

  it("has sha256 by a tag, unless its digest is in the request", async () => {
    const { manifest, bytes: stored, digest: name } = await pushImage();
    await registry.pushManifest("a", "x", manifest);
    const digestAt = async (tag: string) =>
      (await registry.call("HEAD", `/v2/a/manifests/${tag}`)).headers.get("docker-content-digest");
    expect(await digestAt("x")).toBe(digestOf(stored));
    await registry.pushManifest("a", `${name}?tag=x`, manifest);
    expect(await digestAt("x")).toBe(name);
  });

  it("has referrers, under its own digest and not under its sha256", async () => {
    const { bytes: stored, digest: name } = await pushImage();
    const subject = { mediaType: imageType, digest: name, size: stored.byteLength };
    const referrer = await pushImage({ subject, artifactType: "application/vnd.example" });
    expect(referrer.response.headers.get("oci-subject")).toBe(name);
    const listed = async (of: string): Promise<unknown> =>
      (await registry.call("GET", `/v2/a/referrers/${of}`)).json();
    expect(await listed(name)).toMatchObject({ manifests: [{ digest: referrer.digest }] });
    expect(await listed(digestOf(stored))).toMatchObject({ manifests: [] });
  });
});
