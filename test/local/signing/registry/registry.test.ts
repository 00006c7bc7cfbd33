import { readdir, stat } from "node:fs/promises";
import { request as ask } from "node:http";
import { join } from "node:path";
import { until } from "../../../until";
import { digestOf, imageType, indexType, openRegistry, type TestRegistry } from "./registry-client";

let registry: TestRegistry;
beforeEach(async () => {
  registry = await openRegistry();
});

const bytes = Buffer.from("the content of a blob");
const digest = digestOf(bytes);

function location(response: Response): string {
  return response.headers.get("location") ?? "";
}

describe("blobs", () => {
  it("accepts a whole blob in one request, and returns it", async () => {
    const stored = await registry.call("POST", `/v2/a/b/blobs/uploads/?digest=${digest}`, bytes);
    expect(stored.status).toBe(201);
    expect(location(stored)).toBe(`/v2/a/b/blobs/${digest}`);
    const read = await registry.call("GET", location(stored));
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
    const head = await registry.call("HEAD", location(stored));
    expect(head.headers.get("content-length")).toBe(String(bytes.byteLength));
    expect(head.headers.get("docker-content-digest")).toBe(digest);
  });

  it("accepts a blob in chunks, reports its offset, and refuses a chunk at another offset", async () => {
    const started = await registry.call("POST", "/v2/a/blobs/uploads/");
    expect(started.status).toBe(202);
    const chunk = (start: number, end: number) =>
      registry.call("PATCH", location(started), bytes.subarray(start, end), {
        "content-range": `${start}-${end - 1}`,
      });
    const first = await chunk(0, 5);
    expect([first.status, first.headers.get("range")]).toEqual([202, "0-4"]);
    expect((await chunk(6, 9)).status).toBe(416);
    const progress = await registry.call("GET", location(started));
    expect([progress.status, progress.headers.get("range")]).toEqual([204, "0-4"]);
    expect((await chunk(5, 9)).status).toBe(202);
    const end = await registry.call(
      "PUT",
      `${location(started)}?digest=${digest}`,
      bytes.subarray(9),
    );
    expect(end.status).toBe(201);
    const read = await registry.call("GET", `/v2/a/blobs/${digest}`);
    expect(await read.text()).toBe(bytes.toString());
    expect((await registry.call("GET", location(started))).status).toBe(404);
  });

  it("refuses content with another digest, and keeps nothing of it", async () => {
    const path = `/v2/a/blobs/uploads/?digest=${digestOf(Buffer.from("other"))}`;
    expect(await registry.errorCode(await registry.call("POST", path, bytes))).toBe(
      "400 DIGEST_INVALID",
    );
    expect(await readdir(join(registry.folder, "uploads"))).toEqual([]);
    expect((await registry.call("HEAD", `/v2/a/blobs/${digest}`)).status).toBe(404);
  });

  it("keeps a repository's blobs to itself until they are mounted", async () => {
    await registry.pushBlob("one", bytes);
    expect((await registry.call("HEAD", `/v2/two/blobs/${digest}`)).status).toBe(404);
    const mount = (from: string) =>
      registry.call("POST", `/v2/two/blobs/uploads/?mount=${digest}&from=${from}`);
    expect((await mount("nobody")).status).toBe(202);
    expect((await mount("one")).status).toBe(201);
    expect((await registry.call("HEAD", `/v2/two/blobs/${digest}`)).status).toBe(200);
  });

  it.each([
    ["bytes=4-10", 206, "content", "bytes 4-10/21"],
    ["bytes=17-", 206, "blob", "bytes 17-20/21"],
    ["bytes=-4", 206, "blob", "bytes 17-20/21"],
    ["bytes=17-99", 206, "blob", "bytes 17-20/21"],
    ["bytes=21-", 416, "", "bytes */21"],
    ["lines=1-2", 200, bytes.toString(), null],
  ])("responds to the range %s", async (range, status, text, contentRange) => {
    await registry.pushBlob("a", bytes);
    const response = await registry.call("GET", `/v2/a/blobs/${digest}`, undefined, { range });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get("content-range")).toBe(contentRange);
  });

  it("deletes a blob from one repository only, and cancels an upload", async () => {
    await registry.pushBlob("a", bytes);
    await registry.pushBlob("b", bytes);
    expect((await registry.call("DELETE", `/v2/a/blobs/${digest}`)).status).toBe(202);
    expect((await registry.call("DELETE", `/v2/a/blobs/${digest}`)).status).toBe(404);
    expect((await registry.call("HEAD", `/v2/b/blobs/${digest}`)).status).toBe(200);
    const upload = location(await registry.call("POST", "/v2/a/blobs/uploads/"));
    expect((await registry.call("DELETE", upload)).status).toBe(204);
    expect(await registry.errorCode(await registry.call("PUT", `${upload}?digest=${digest}`))).toBe(
      "404 BLOB_UPLOAD_UNKNOWN",
    );
  });

  it("continues an upload after its connection was reset", async () => {
    const upload = location(await registry.call("POST", "/v2/a/blobs/uploads/"));
    const length = String(bytes.byteLength);
    const headers = { "content-length": length };
    const request = ask(new URL(upload, registry.url), { method: "PATCH", headers });
    request.on("error", () => undefined);
    request.write(bytes.subarray(0, 7));
    const [name = ""] = await readdir(join(registry.folder, "uploads"));
    const file = join(registry.folder, "uploads", name);
    // Only what the registry has written outlives the connection: a reset may drop the rest.
    await until(async () => (await stat(file)).size === 7);
    const progress = await registry.call("GET", upload);
    expect(progress.headers.get("range")).toBe("0-6");
    request.destroy();
    await until(async () => {
      const rest = { "content-range": "7-20" };
      const answer = await registry.call("PATCH", upload, bytes.subarray(7), rest);
      if (answer.status === 202) return true;
      // So it says until it notices that the first connection is gone.
      expect(await answer.text()).toContain("another request is appending to this upload");
      return false;
    });
    const end = await registry.call("PUT", `${upload}?digest=${digest}`);
    expect(end.status).toBe(201);
    expect(await (await registry.call("GET", `/v2/a/blobs/${digest}`)).text()).toBe(String(bytes));
  });

  it("accepts one blob eight times at once", async () => {
    await Promise.all(Array.from({ length: 8 }, () => registry.pushBlob("a", bytes)));
    expect(await (await registry.call("GET", `/v2/a/blobs/${digest}`)).text()).toBe(String(bytes));
    expect(await readdir(join(registry.folder, "uploads"))).toEqual([]);
  });

  it("stores an empty blob", async () => {
    const { digest: empty } = await registry.pushBlob("a", Buffer.alloc(0));
    const response = await registry.call("GET", `/v2/a/blobs/${empty}`);
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it("bounds the number, the bytes and the age of open uploads", async () => {
    let time = 0;
    const bounded = await openRegistry({
      uploads: { maxOpen: 2, maxOpenBytes: 10, maxIdleMs: 1000 },
      now: () => new Date(time),
    });
    const start = () => bounded.call("POST", "/v2/a/blobs/uploads/");
    const first = location(await start());
    time = 600;
    const second = location(await start());
    expect(await bounded.errorCode(await start())).toBe("429 TOOMANYREQUESTS");
    expect((await bounded.call("PATCH", first, "123456")).status).toBe(202);
    expect((await bounded.call("PATCH", second, "12345")).status).toBe(429);
    expect((await bounded.call("PATCH", second, "1234")).status).toBe(202);
    // Both were used at 600.
    time = 1600;
    expect((await start()).status).toBe(429);
    time = 1601;
    expect((await start()).status).toBe(202);
    expect((await bounded.call("GET", first)).status).toBe(404);
    expect(await readdir(join(bounded.folder, "uploads"))).toHaveLength(1);
  });

  it("does not let an upload of one repository end in another", async () => {
    const upload = location(await registry.call("POST", "/v2/a/blobs/uploads/"));
    const response = await registry.call("PUT", `${upload.replace("/a/", "/b/")}?digest=${digest}`);
    expect(response.status).toBe(404);
  });
});

describe("manifests", () => {
  it("stores a manifest under its tag and its digest, byte for byte", async () => {
    const { response, manifest, digest: stored } = await registry.pushImage("lab/app", "1.0", "x");
    expect([response.status, response.headers.get("docker-content-digest")]).toEqual([201, stored]);
    for (const reference of ["1.0", stored]) {
      const read = await registry.call("GET", `/v2/lab/app/manifests/${reference}`);
      expect(read.headers.get("content-type")).toBe(imageType);
      expect(await read.text()).toBe(JSON.stringify(manifest));
      const head = await registry.call("HEAD", `/v2/lab/app/manifests/${reference}`);
      expect([head.status, head.headers.get("docker-content-digest")]).toEqual([200, stored]);
    }
  });

  it("refuses missing manifests, and invalid ones", async () => {
    const { manifest, digest: stored } = await registry.pushImage("a", "x", "x");
    const layer = { ...manifest.layers[0], digest: digestOf(Buffer.from("absent")) };
    const code = async (value: unknown, reference = "t", type = imageType) =>
      registry.errorCode(await registry.pushManifest("a", reference, value, type));
    expect(await code({ ...manifest, layers: [layer] })).toBe("400 MANIFEST_BLOB_UNKNOWN");
    expect(await code({ ...manifest, config: { ...manifest.config, size: 3 } })).toBe(
      "400 MANIFEST_INVALID",
    );
    expect(await code({ ...manifest, mediaType: indexType })).toBe("400 MANIFEST_INVALID");
    expect(await code({ ...manifest, schemaVersion: 1 })).toBe("400 MANIFEST_INVALID");
    expect(await code([])).toBe("400 MANIFEST_INVALID");
    expect(await code(manifest, digestOf(Buffer.from("x")))).toBe("400 DIGEST_INVALID");
    const index = (entry: string) => ({
      schemaVersion: 2,
      mediaType: indexType,
      manifests: [{ mediaType: imageType, digest: entry, size: 2 }],
    });
    expect(await code(index(digestOf(Buffer.from("x"))), "t", indexType)).toBe(
      "400 MANIFEST_BLOB_UNKNOWN",
    );
    expect((await registry.pushManifest("a", "t", index(stored), indexType)).status).toBe(201);
    expect((await registry.call("HEAD", "/v2/a/manifests/absent")).status).toBe(404);
  });

  it("does not find what is no name of a tag, and stores nothing under it", async () => {
    const { manifest } = await registry.pushImage("a", "x", "x");
    for (const name of [".dot", "-dash", "a".repeat(129)]) {
      const path = `/v2/a/manifests/${name}`;
      for (const method of ["GET", "DELETE"]) {
        const answer = await registry.call(method, path);
        expect(await registry.errorCode(answer)).toBe("404 MANIFEST_UNKNOWN");
      }
      expect((await registry.call("HEAD", path)).status).toBe(404);
      const refused = await registry.pushManifest("a", name, manifest);
      expect(await registry.errorCode(refused)).toBe("400 MANIFEST_INVALID");
    }
  });

  it("stores a manifest under its digest and several tags at once", async () => {
    const { manifest, digest: stored } = await registry.pushImage("a", "x", "x");
    const pushed = await registry.pushManifest("a", `${stored}?tag=y&tag=z`, manifest);
    expect([pushed.status, pushed.headers.get("oci-tag")]).toEqual([201, "y, z"]);
    const tags = await registry.call("GET", "/v2/a/tags/list");
    expect(await tags.json()).toEqual({ name: "a", tags: ["x", "y", "z"] });
    const refused = await registry.pushManifest("a", `${stored}?tag=v&tag=.w`, manifest);
    expect(await registry.errorCode(refused)).toBe("400 MANIFEST_INVALID");
    expect((await registry.call("HEAD", "/v2/a/manifests/v")).status).toBe(404);
  });

  it("deletes only a tag, or a manifest with all its tags", async () => {
    const { digest: stored, manifest } = await registry.pushImage("a", "x", "x");
    await registry.pushManifest("a", "y", manifest);
    const status = async (method: string, reference: string) =>
      (await registry.call(method, `/v2/a/manifests/${reference}`)).status;
    expect(await status("DELETE", "x")).toBe(202);
    expect([await status("HEAD", "x"), await status("HEAD", stored)]).toEqual([404, 200]);
    expect(await status("DELETE", stored)).toBe(202);
    expect([await status("HEAD", "y"), await status("HEAD", stored)]).toEqual([404, 404]);
  });

  it("lists tags in pages", async () => {
    for (const tag of ["c", "a", "b"]) await registry.pushImage("a", tag, "x");
    const first = await registry.call("GET", "/v2/a/tags/list?n=2");
    expect(await first.json()).toEqual({ name: "a", tags: ["a", "b"] });
    const [, next = ""] = /<(.+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
    const second = await registry.call("GET", next);
    expect(await second.json()).toEqual({ name: "a", tags: ["c"] });
    expect(second.headers.get("link")).toBeNull();
  });

  it.each([
    "/v2/A/tags/list",
    "/v2/a//b/tags/list",
    "/v2/a/../b/tags/list",
    "/v2/a%2f..%2fb/tags/list",
  ])("does not accept %s as a repository", async (path) => {
    const { status } = await registry.call("GET", path);
    expect(path.includes("/../") ? 200 : 400).toBe(status);
  });

  it("is still complete after a restart", async () => {
    const { digest: stored } = await registry.pushImage("a", "x", "x");
    await registry.close();
    const again = await openRegistry({}, registry.folder);
    const read = await again.call("HEAD", "/v2/a/manifests/x");
    expect(read.headers.get("docker-content-digest")).toBe(stored);
  });
});

describe("referrers", () => {
  const withSubject = async (target: TestRegistry) => {
    const image = await target.pushImage("a", "x", "x");
    const subject = { mediaType: imageType, digest: image.digest, size: image.size };
    const annotations = { "org.example.note": "n" };
    const extra = { subject, annotations, artifactType: "application/vnd.example" };
    const referrer = await target.pushImage("a", "r", "signature", extra);
    return { image, referrer, path: `/v2/a/referrers/${image.digest}` };
  };

  it("lists what refers to a manifest, and forgets what is deleted", async () => {
    const { image, referrer, path } = await withSubject(registry);
    expect(referrer.response.headers.get("oci-subject")).toBe(image.digest);
    const listed = await registry.call("GET", path);
    expect(listed.headers.get("content-type")).toBe(indexType);
    expect(await listed.json()).toEqual({
      schemaVersion: 2,
      mediaType: indexType,
      manifests: [
        {
          mediaType: imageType,
          digest: referrer.digest,
          size: referrer.size,
          artifactType: "application/vnd.example",
          annotations: { "org.example.note": "n" },
        },
      ],
    });
    const filtered = await registry.call("GET", `${path}?artifactType=other`);
    expect(filtered.headers.get("oci-filters-applied")).toBe("artifactType");
    expect(await filtered.json()).toMatchObject({ manifests: [] });
    await registry.call("DELETE", `/v2/a/manifests/${referrer.digest}`);
    expect(await (await registry.call("GET", path)).json()).toMatchObject({ manifests: [] });
  });

  it("responds with 404 if the API is switched off", async () => {
    const plain = await openRegistry({ referrersApi: false });
    const { referrer, path } = await withSubject(plain);
    expect(referrer.response.status).toBe(201);
    expect(referrer.response.headers.get("oci-subject")).toBeNull();
    expect((await plain.call("GET", path)).status).toBe(404);
  });
});

describe("limits", () => {
  it("refuses blobs and manifests that are too large", async () => {
    const small = await openRegistry({ maxBlobBytes: 10, maxManifestBytes: 300 });
    const path = `/v2/a/blobs/uploads/?digest=${digest}`;
    expect(await small.errorCode(await small.call("POST", path, bytes))).toBe("413 SIZE_INVALID");
    expect(await readdir(join(small.folder, "uploads"))).toEqual([]);
    const { manifest } = await registry.pushImage("a", "x", "x");
    const annotations = { long: "x".repeat(400) };
    expect((await small.pushManifest("a", "x", { ...manifest, annotations })).status).toBe(413);
  });

  it("refuses requests from web pages", async () => {
    const origin = { origin: "https://example.com" };
    expect((await registry.call("GET", "/v2/", undefined, origin)).status).toBe(403);
  });
});
