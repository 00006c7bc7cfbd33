import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify";
import { readFile } from "node:fs/promises";
import { annotation } from "../../../../src/core/signing/sigstore/format/manifest";
import { attachedTo } from "./attached";
import { sign } from "./operations";
import { inTime, openBench, type SigningBench } from "./signing-bench";

const ada = "ada@example.com";

it("signs an image as a layer of the image at its tag", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const written = await sign(bench, bench.person(ada), image);
  const attached = attachedTo(bench, image);
  expect(await attached.signatures()).toEqual([ada]);
  expect(await attached.bundles("signature")).toEqual([]);
  const tag = `${image.digest.replace(":", "-")}.sig`;
  const repository = `${bench.repository.registry}/lab/app`;
  expect(written).toMatchObject({ version: 1, repository, layers: [{ tag }], bundles: [] });
  const manifest = await attached.tagged(".sig");
  const payload =
    `{"critical":{"identity":{"docker-reference":"${repository}"},` +
    `"image":{"docker-manifest-digest":"${image.digest}"},` +
    '"type":"cosign container image signature"},"optional":null}';
  expect(manifest?.json).toMatchObject({
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: { mediaType: "application/vnd.oci.image.config.v1+json" },
    layers: [{ size: payload.length, digest: written.layers[0]?.digest }],
  });
});

it("signs an image as a bundle that an outside verifier accepts", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const written = await sign(bench, bench.person(ada), image, { format: "bundle" });
  const attached = attachedTo(bench, image);
  expect(await attached.bundles("signature")).toEqual([ada]);
  expect(await attached.signatures()).toEqual([]);
  const [found] = await attached.bundleBytes();
  expect(written).toMatchObject({
    layers: [],
    bundles: [{ subject: image.digest, digest: found?.digest }],
  });
  const root = await readFile(bench.local.files.trustedRoot, "utf8");
  const verifier = new Verifier(toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(root))));
  const bundle = bundleFromJSON(JSON.parse(found?.bytes.toString("utf8") ?? ""));
  expect(() => verifier.verify(toSignedEntity(bundle))).not.toThrow();
});

it("signs in both formats, each logged once", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const person = bench.person(ada);
  const written = await sign(bench, person, image, { format: "both" });
  expect([written.layers.length, written.bundles.length]).toEqual([1, 1]);
  expect(await bench.logSize()).toBe(2);
  expect(person.asked()).toBe(1);
});

async function pushNestedIndex(bench: SigningBench) {
  const images = await Promise.all(["a", "b", "c"].map((text) => bench.pushImage(text)));
  const inner = await bench.pushIndex(...images.slice(0, 2));
  return { parts: [...images, inner], index: await bench.pushIndex(inner, ...images.slice(2)) };
}

it("signs an index with its images, in both formats", async () => {
  const bench = await openBench();
  const { parts, index } = await pushNestedIndex(bench);
  const person = bench.person(ada);
  const written = await sign(bench, person, index, { format: "both" });
  for (const image of [...parts, index]) {
    expect(await attachedTo(bench, image).signatures()).toEqual([ada]);
    expect(await attachedTo(bench, image).bundles("signature")).toEqual([ada]);
  }
  expect([written.layers.length, written.bundles.length]).toEqual([5, 5]);
  expect(await bench.logSize()).toBe(10);
  expect(person.asked()).toBe(1);
});

it("signs only the index if the request is not recursive", async () => {
  const bench = await openBench();
  const { parts, index } = await pushNestedIndex(bench);
  // Nobody looks at them.
  for (const { digest } of parts) {
    await bench.registry.manifests.remove(bench.repository, digest, inTime());
  }
  const options = { format: "both", isRecursive: false } as const;
  const written = await sign(bench, bench.person(ada), index, options);
  expect(await attachedTo(bench, index).signatures()).toEqual([ada]);
  expect(await attachedTo(bench, index).bundles("signature")).toEqual([ada]);
  expect([written.layers.length, written.bundles.length]).toEqual([1, 1]);
  expect(await bench.logSize()).toBe(2);
});

it("signs nothing when the image is missing", async () => {
  const bench = await openBench();
  const person = bench.person(ada);
  const image = { ...bench.repository, digest: `sha256:${"0".repeat(64)}` } as const;
  const signing = sign(bench, person, image, { format: "both" });
  await expect(signing).rejects.toMatchObject({
    code: "IMAGE_MISSING",
    message: expect.stringContaining("push it first") as string,
  });
  expect([person.asked(), await bench.logSize()]).toEqual([0, 0]);
});

it.each(["legacy", "bundle"] as const)(
  "signs nothing as %s when an image of an index is missing",
  async (format) => {
    const bench = await openBench();
    const image = await bench.pushImage("a");
    const index = await bench.pushIndex(image);
    await bench.registry.manifests.remove(bench.repository, image.digest, inTime());
    const signing = sign(bench, bench.person(ada), index, { format });
    await expect(signing).rejects.toMatchObject({
      code: "IMAGE_MISSING",
      message: `${bench.repository.registry}/lab/app@${image.digest}, listed in the index ${index.digest}, is not in the registry; push it first, or set recursive to false`,
    });
    expect(await bench.logSize()).toBe(0);
  },
);

it("timestamps signatures if a timestamp authority is set", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const timestampUrl = bench.local.addresses.timestampAuthority;
  await sign(bench, bench.person(ada, { timestampUrl }), image, { format: "both" });
  const attached = attachedTo(bench, image);
  const manifest = await attached.tagged(".sig");
  expect(JSON.stringify(manifest?.json)).toContain(annotation.timestamp);
  const [bundle] = await attached.bundleBytes();
  expect(bundle?.bytes.toString()).toContain("rfc3161Timestamps");
  expect(await attached.signatures()).toEqual([ada]);
  expect(await attached.bundles("signature")).toEqual([ada]);
});
