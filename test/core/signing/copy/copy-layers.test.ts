import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import type {
  DigestReference,
  Repository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { attaching, startFront, type Attachments } from "../oci/registry/front";
import { attachedTo } from "../sign/attached";
import { attest, sign } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";

const ada = "ada@example.com";
const eve = "eve@example.com";

/** An image with what Ada attached to it, a copy of the image alone, and what is at the copy. */
async function open(settings: Parameters<typeof openBench>[0] = {}) {
  const bench = await openBench(settings);
  const image = await bench.pushImage("signed");
  const mirror: Repository = { ...bench.repository, path: "mirror/app" };
  const copied: DigestReference = { ...mirror, digest: image.digest };
  const copy = (source: DigestReference = image) =>
    copyImage(source, mirror, { client: bench.registry, context: inTime() });
  const there = attachedTo({ ...bench, repository: mirror }, image);
  await copy();
  return { bench, image, copied, copy, there };
}

const write = async (bench: SigningBench, who: string, image: DigestReference) => {
  const person = bench.person(who);
  await sign(bench, person, image, { format: "both" });
  await attest(bench, person, image, { format: "both" });
};

describe.each([true, false])("with a list of referrers: %s, a copy", (referrersApi) => {
  test("adds signatures and attestations to those at the destination", async () => {
    const { bench, image, copied, copy, there } = await open({ referrersApi });
    await write(bench, ada, image);
    await write(bench, eve, copied);
    const result = await copy();
    expect(result.warnings).toEqual([]);
    // Those at the destination come first.
    expect(await there.signatures()).toEqual([eve, ada]);
    expect(await there.attestations()).toEqual([eve, ada]);
    expect(await there.bundleBytes()).toHaveLength(4);

    const [signatures, attestations] = [await there.tagged(".sig"), await there.tagged(".att")];
    expect(await copy()).toMatchObject({ warnings: [], sentBytes: 0 });
    expect(await there.tagged(".sig")).toEqual(signatures);
    expect(await there.tagged(".att")).toEqual(attestations);
    expect(await there.bundleBytes()).toHaveLength(4);
  });
});

test("a copy to where nothing is attached keeps the digests of the tags", async () => {
  const { bench, image, copy, there } = await open();
  await write(bench, ada, image);
  await write(bench, eve, image);
  await copy();
  for (const suffix of [".sig", ".att"] as const) {
    const source = await attachedTo(bench, image).tagged(suffix);
    expect((await there.tagged(suffix))?.digest).toBe(source?.digest);
  }
  // What is new at the source is added again.
  await sign(bench, bench.person("new@example.com"), image);
  await copy();
  expect(await there.signatures()).toEqual([ada, eve, "new@example.com"]);
});

test("a copy loses nothing of those who sign the copy meanwhile", async () => {
  const { bench, image, copied, copy, there } = await open();
  await write(bench, ada, image);
  const others = ["a@example.com", "b@example.com", "c@example.com"];
  await Promise.all([copy(), ...others.map((who) => sign(bench, bench.person(who), copied))]);
  expect([...(await there.signatures())].sort()).toEqual([...others, ada].sort());
});

test("a copy reads a referrer only after the one before is written", async () => {
  const { bench, image, copied } = await open();
  for (const who of [ada, eve, "c@example.com"]) {
    await sign(bench, bench.person(who), image, { format: "bundle" });
  }
  const steps: string[] = [];
  const watched = (path: string, method: string, step: string) =>
    startFront(bench.local.addresses.registry, (request) => {
      const isIt =
        request.method === method && request.url.startsWith(`/v2/${path}/manifests/sha256:`);
      if (isIt && !request.url.endsWith(image.digest)) steps.push(step);
      return undefined;
    });
  const source = await watched(image.path, "GET", "read");
  const target = await watched(copied.path, "PUT", "wrote");
  await copyImage(
    { ...image, registry: source.host },
    { registry: target.host, path: copied.path },
    { client: bench.registry, context: inTime() },
  );
  const changes = steps.filter((step, number) => step !== steps[number - 1]);
  expect(changes).toEqual(["read", "wrote", "read", "wrote", "read", "wrote"]);
});

describe("a copy from a registry in which something is broken", () => {
  const signatureType = "application/vnd.dev.cosign.simplesigning.v1+json";
  const manifestType = "application/vnd.oci.image.manifest.v1+json";
  const gone = `sha256:${"0".repeat(64)}`;

  async function copyFrom(attachments: (image: DigestReference) => Attachments) {
    const { bench, image, copy, there } = await open();
    await write(bench, ada, image);
    const script = attaching(attachments(image));
    const front = await startFront(bench.local.addresses.registry, script);
    const result = await copy({ ...image, registry: front.host });
    return { result, there };
  }

  test.each<readonly [string, object]>([
    ["whose content is missing", { mediaType: signatureType, digest: gone, size: 3 }],
    ["that is no layer", { mediaType: signatureType }],
  ])("leaves out a layer %s", async (_, layer) => {
    const { result, there } = await copyFrom(({ digest }) => ({
      tag: tagOfDigest(digest, ".sig"),
      layers: [layer],
    }));
    expect(result.warnings).toEqual([
      expect.stringMatching(/^a layer of the tag .*\.sig was not copied: /),
    ]);
    expect(await there.signatures()).toEqual([ada]);
    expect(await there.bundleBytes()).toHaveLength(2);
  });

  test("leaves out a tag that is no image, and a referrer that is no manifest", async () => {
    const broken = { digest: gone, size: 2, bytes: () => Buffer.from("{") } as const;
    const { result, there } = await copyFrom(({ digest }) => ({
      tag: tagOfDigest(digest, ".sig"),
      layers: () => [1] as unknown as object[],
      referrers: [{ mediaType: manifestType, digest: gone, size: 2 }],
      contents: [{ ...broken, digest: `sha256:${"0".repeat(64)}` }],
    }));
    expect(result.warnings).toEqual([
      expect.stringMatching(/^the tag .*\.sig was not copied: .*does not contain signatures/),
      expect.stringMatching(/^the referrer .* was not copied: .*wrong content/),
    ]);
    expect(await there.attestations()).toEqual([ada]);
    expect(await there.bundleBytes()).toHaveLength(2);
  });
});

describe("a copy fails instead of leaving a signature out", () => {
  test("when the destination has lost an upload", async () => {
    const { bench, image, copied, there } = await open();
    await sign(bench, bench.person(ada), image);
    const lost = JSON.stringify({ errors: [{ code: "BLOB_UPLOAD_UNKNOWN" }] });
    const front = await startFront(bench.local.addresses.registry, ({ method, url }) =>
      method === "PUT" && url.includes("/uploads/") ? { status: 404, body: lost } : undefined,
    );
    const destination = { registry: front.host, path: copied.path };
    const settings = { client: bench.registry, context: inTime() };
    const copying = copyImage(image, destination, settings);
    await expect(copying).rejects.toMatchObject({ code: "NOT_FOUND" });

    await copyImage(image, copied, settings);
    expect(await there.signatures()).toEqual([ada]);
  });

  test("when the tag contains something else at the destination", async () => {
    const { bench, image, copied, copy } = await open();
    await sign(bench, bench.person(ada), image);
    const { manifests } = bench.registry;
    const index = Buffer.from('{"schemaVersion":2,"manifests":[]}');
    const mediaType = "application/vnd.oci.image.index.v1+json";
    const tag = tagOfDigest(image.digest, ".sig");
    await manifests.put(copied, { mediaType, bytes: index }, inTime(), { tag });
    await expect(copy()).rejects.toMatchObject({ code: "ATTACHMENTS_MALFORMED" });
    expect((await manifests.get(copied, tag, inTime()))?.bytes).toEqual(index);
  });
});
