import { type Digest, tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import type { UpdateTag } from "../../../../src/core/signing/oci/registry/update-tag";
import { attachedTo } from "../sign/attached";
import { attest, pushBuiltIndex, sign } from "../sign/operations";
import { openBench, type SigningBench } from "../sign/signing-bench";

const ada = "ada@example.com";

const formats = ["legacy", "bundle"] as const;

/** The image as a registry serves it that counts what is written, and refuses it after a number of manifests. */
async function behindCounter(bench: SigningBench, image: DigestReference) {
  const writes = { manifests: 0, others: 0, refusedAfter: Infinity };
  const counted = await bench.behindFaults(image, ({ method, path }) => {
    if (method === "GET" || method === "HEAD") return undefined;
    if (!path.includes("/manifests/")) {
      writes.others++;
      return undefined;
    }
    writes.manifests++;
    const isRefused = writes.manifests > writes.refusedAfter;
    return isRefused ? { kind: "answer", status: 400 } : undefined;
  });
  return { writes, image: counted };
}

describe.each(formats)("in the format %s", (format) => {
  const signers = async (bench: SigningBench, image: DigestReference) => {
    const attached = attachedTo(bench, image);
    return format === "legacy" ? attached.signatures() : attached.bundles("signature");
  };

  test("what a builder attached to the images of an index is signed, as cosign does", async () => {
    const bench = await openBench();
    const { image, about, index } = await pushBuiltIndex(bench);
    await sign(bench, bench.person(ada), index, { format });
    for (const each of [image, about, index]) expect(await signers(bench, each)).toEqual([ada]);
  });

  test("a second run writes nothing, neither to the registry nor to the log", async () => {
    const bench = await openBench();
    const { index } = await pushBuiltIndex(bench);
    const { image, writes } = await behindCounter(bench, index);
    for (const run of [sign, attest]) {
      const first = await run(bench, bench.person(ada), image, { format, isRecursive: true });
      const [logged, manifests, others] = [await bench.logSize(), writes.manifests, writes.others];
      const options = { format, isRecursive: true, previous: first };
      expect(await run(bench, bench.person(ada), image, options)).toEqual(first);
      expect([await bench.logSize(), writes.manifests, writes.others]).toEqual([
        logged,
        manifests,
        others,
      ]);
    }
  });

  test("after a failure in the middle, the index is unsigned, and the next run signs only the rest", async () => {
    const bench = await openBench();
    const images = await Promise.all(["a", "b", "c"].map((text) => bench.pushImage(text)));
    const index = await bench.pushIndex(...images);
    const { image, writes } = await behindCounter(bench, index);
    writes.refusedAfter = 1;
    await expect(sign(bench, bench.person(ada), image, { format })).rejects.toThrow();
    expect(await signers(bench, index)).toEqual([]);
    const before = await Promise.all(images.map((each) => signers(bench, each)));
    expect(before.flat()).toEqual([ada]);

    writes.refusedAfter = Infinity;
    const logged = await bench.logSize();
    await sign(bench, bench.person(ada), image, { format });
    for (const each of [...images, index]) expect(await signers(bench, each)).toEqual([ada]);
    expect(await bench.logSize()).toBe(logged + 3);
  });
});

const tagOf = ({ digest }: { readonly digest: Digest }): string => tagOfDigest(digest, ".sig");

test("four images are signed at once, and the index last", async () => {
  const bench = await openBench();
  const images = await Promise.all(
    ["a", "b", "c", "d", "e", "f"].map((text) => bench.pushImage(text)),
  );
  const index = await bench.pushIndex(...images);
  const person = bench.person(ada);
  const { registry } = person.services;
  const tags: string[] = [];
  let [running, most] = [0, 0];
  let release: () => void = () => undefined;
  const areFour = new Promise<void>((resolve) => (release = resolve));
  const updateTag: UpdateTag = async (repository, tag, ...rest) => {
    most = Math.max(most, ++running);
    if (running === 4) release();
    await areFour;
    const result = await registry.updateTag(repository, tag, ...rest);
    running--;
    tags.push(tag);
    return result;
  };
  const services = { ...person.services, registry: { ...registry, updateTag } };
  const { layers } = await sign(bench, { ...person, services }, index);
  expect([most, tags.length, tags.at(-1)]).toEqual([4, 7, tagOf(index)]);
  expect(layers.map(({ tag }) => tag)).toEqual([...images, index].map(tagOf));
});

test("an index that is nested too deeply is refused", async () => {
  const bench = await openBench();
  let index = await bench.pushIndex(await bench.pushImage("one"));
  for (let depth = 1; depth <= 4; depth++) index = await bench.pushIndex(index);
  const signing = sign(bench, bench.person(ada), index);
  await expect(signing).rejects.toMatchObject({ code: "IMAGE_MALFORMED" });
  expect(await bench.logSize()).toBe(0);
});

test.each([
  ["linux/arm64/v8", { os: "linux", architecture: "arm64", variant: "v8" }, true],
  ["unknown/unknown", { os: "unknown", architecture: "unknown" }, false],
])("an attestation manifest that runs on %s", async (_name, platform, isAttested) => {
  const bench = await openBench();
  const annotations = { "vnd.docker.reference.type": "attestation-manifest" };
  const image = await bench.pushImage("one");
  const index = await bench.pushIndexOf([{ image, more: { platform, annotations } }]);
  const signed = await sign(bench, bench.person(ada), index);
  expect(signed.layers.map(({ tag }) => tag)).toEqual([image, index].map(tagOf));
  const attested = await attest(bench, bench.person(ada), index, { isRecursive: true });
  const subjects = [...(isAttested ? [image] : []), index];
  const tags = subjects.map(({ digest }) => tagOfDigest(digest, ".att"));
  expect(attested.layers.map(({ tag }) => tag)).toEqual(tags);
});
