import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { startSigningPage } from "../../../../src/local/signing/page/page-server";
import type {
  LogPage,
  PageImage,
  PageOverview,
} from "../../../../src/local/signing/page/page-data";
import type { BundleServices } from "../../../../src/core/signing/provider/services";
import { closeAfterTest } from "../../../core/http/close-after-test";
import { send } from "../../service/local-service";
import { until } from "../../../until";
import { temporaryFolder } from "../local-services";
import { email, policyText } from "../../../core/signing/provider/signing";
import { attest, pushBuiltIndex, sign } from "../../../core/signing/sign/operations";
import { inTime, openBench } from "../../../core/signing/sign/signing-bench";
import { nameOf, treeOf } from "../../../core/signing/tree/trees";

async function open() {
  const bench = await openBench();
  const folder = await temporaryFolder();
  const files = join(folder, "files");
  mkdirSync(files);
  writeFileSync(join(files, "index.html"), "<title>Page</title>");
  const policy = join(folder, "policy.json");
  writeFileSync(policy, policyText(bench.local));
  const listeners = new Set<() => void>();
  const page = await startSigningPage({
    services: bench.local,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    policies: [policy],
    environment: {},
    files,
  });
  closeAfterTest(() => page.close());
  const { origin: url, hash } = new URL(page.url);
  const authorization = `Bearer ${hash.slice("#token=".length)}`;
  const headers = { authorization, "content-type": "application/json" };
  const get = async () =>
    JSON.parse((await send({ url }, { path: "/api/overview", headers })).body) as PageOverview;
  const post = (path: string, body: unknown) =>
    send({ url }, { method: "POST", path, headers, body: JSON.stringify(body) });
  const image = async (of: DigestReference) =>
    JSON.parse((await post("/api/image", { image: nameOf(of) })).body) as PageImage;
  const log = async (body: object) => JSON.parse((await post("/api/log", body)).body) as LogPage;
  return { bench, policy, url, headers, get, post, image, log, listeners };
}

describe("access to the page", () => {
  it.each([
    ["GET", "/api/overview"],
    ["POST", "/api/image"],
    ["POST", "/api/log"],
    ["GET", "/api/events"],
  ] as const)("needs the token for %s %s", async (method, path) => {
    const { url, headers } = await open();
    const token = headers.authorization.slice("Bearer ".length);
    for (const authorization of ["", "Bearer ", `Bearer ${token}x`]) {
      const body = method === "POST" ? "{}" : "";
      const answer = await send({ url }, { method, path, headers: { authorization }, body });
      expect(answer.status).toBe(401);
      expect(answer.body).not.toContain(token);
    }
  });

  it.each<[string, Record<string, string>, number]>([
    ["a page of another origin", { origin: "http://127.0.0.1:1" }, 403],
    ["another host's name", { host: "evil.example" }, 403],
    ["a form", { "content-type": "text/plain" }, 415],
  ])("refuses %s, even with the token", async (_, more, status) => {
    const { url, headers } = await open();
    const sent = { method: "POST", path: "/api/log", headers: { ...headers, ...more }, body: "{}" };
    expect((await send({ url }, sent)).status).toBe(status);
  });

  it("reads only images of its own registry", async () => {
    const { bench, post } = await open();
    const other = "registry.example.org/app:1";
    expect(await post("/api/image", { image: other })).toMatchObject({ status: 403 });
    expect(await post("/api/image", { image: "oci:/etc:1" })).toMatchObject({ status: 400 });
    const missing = `${bench.local.registryHost}/lab/app:missing`;
    const { status, body } = await post("/api/image", { image: missing });
    expect([status, JSON.parse(body)]).toEqual([
      422,
      { message: `the image ${missing} is not in the registry`, cure: "" },
    ]);
  });
});

describe("what the page gets", () => {
  it("are the images, without what is attached to them or is in an index", async () => {
    const { bench, get } = await open();
    const { image, index } = await pushBuiltIndex(bench);
    const other = await bench.pushImage("other");
    const { registry, repository } = bench;
    for (const format of ["legacy", "bundle"] as const) {
      await sign(bench, bench.person(email), index, { format });
      await attest(bench, bench.person("ci@example.com"), other, { format });
      await attest(bench, bench.person("eve@example.com"), other, { format });
    }
    const manifest = await registry.manifests.get(repository, other.digest, inTime());
    if (manifest === undefined) throw new Error("there is no image");
    for (const tag of ["b", "a"]) {
      await registry.manifests.put(repository, manifest, inTime(), { tag });
    }
    const { images } = await get();
    expect(images).toEqual([
      { image: nameOf(other), repository: "lab/app", tags: ["a", "b"], isIndex: false },
      { image: nameOf(index), repository: "lab/app", tags: [], isIndex: true },
    ]);
    expect(JSON.stringify(images)).not.toContain(image.digest);
  });

  it("is the tree, with what the policies say as they are now", async () => {
    const { bench, policy, image } = await open();
    const pushed = await bench.pushImage("seen");
    await sign(bench, bench.person(email), pushed);
    const first = await image(pushed);
    expect(first).toMatchObject({ verdict: { code: "ACCEPTED" } });
    expect(first.tree).toEqual(await treeOf(bench, pushed));
    writeFileSync(policy, policyText(bench.local, {}, "boss@example.com"));
    expect(await image(pushed)).toMatchObject({ verdict: { code: "REFUSED" } });
    writeFileSync(policy, "a: 1");
    const broken = await image(pushed);
    expect(broken).not.toHaveProperty("verdict");
    expect(broken.problem).toContain("must be a ClusterImagePolicy");
  });

  it("are entries of both logs, each with a checked proof", async () => {
    const { bench, get, log } = await open();
    const pushed = await bench.pushImage("seen");
    await sign(bench, bench.person(email), pushed);
    await sign(bench, bench.person("ci@example.com"), pushed, { format: "bundle" });
    const services: BundleServices = {
      logs: [{ url: bench.urls.rekorUrl, version: 2 }],
      timestampUrls: [bench.local.addresses.timestampAuthority],
    };
    const second = bench.person("eve@example.com", {
      bundleServices: services,
    });
    await sign(bench, second, pushed, { format: "bundle" });
    expect((await get()).logs).toEqual([
      { log: "v1", size: 2 },
      { log: "v2", size: 1 },
    ]);
    const entry = (subject: string, index: number, treeSize: number) => ({
      index,
      check: { result: "verified" },
      proof: { treeSize },
      certificate: { subjects: [subject] },
      content: expect.stringMatching(/^sha256:[\da-f]{64}$/) as string,
    });
    expect(await log({ log: "v1" })).toMatchObject({
      size: 2,
      entries: [entry("ci@example.com", 1, 2), entry(email, 0, 2)],
    });
    expect((await log({ log: "v1", before: 1 })).entries.map(({ index }) => index)).toEqual([0]);
    expect((await log({ log: "v1", before: -1 })).entries).toHaveLength(2);
    expect(await log({ log: "v2" })).toMatchObject({
      size: 1,
      entries: [entry("eve@example.com", 0, 1)],
    });
  });

  it("are changes, as long as it listens", async () => {
    const { url, headers, listeners } = await open();
    const stop = new AbortController();
    const response = await fetch(`${url}/api/events`, { headers, signal: stop.signal });
    const reader = response.body?.getReader();
    expect(listeners.size).toBe(1);
    for (const listener of listeners) listener();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toBe("data: {}\n\n");
    stop.abort();
    await until(() => listeners.size === 0);
  });
});
