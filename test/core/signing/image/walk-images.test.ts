import { walkImages } from "../../../../src/core/signing/image/walk-images";
import { digestOf, type Digest } from "../../../../src/core/signing/oci/reference/descriptor";
import type { RegistryClient } from "../../../../src/core/signing/oci/registry/client";
import {
  checkedManifest,
  type Manifest,
} from "../../../../src/core/signing/oci/registry/manifests";
import { inTime } from "../sign/signing-bench";

const indexType = "application/vnd.oci.image.index.v1+json";
const imageType = "application/vnd.oci.image.manifest.v1+json";
const repository = { registry: "registry.example.com", path: "app" };

function manifestOf(json: object): Manifest {
  const bytes = Buffer.from(JSON.stringify(json));
  return checkedManifest(bytes, { place: "a test", reference: digestOf(bytes) });
}

const image = (text: string) => manifestOf({ mediaType: imageType, layers: [], text });

const entryOf = ({ digest, mediaType, bytes }: Manifest) => ({
  mediaType,
  digest,
  size: bytes.byteLength,
});

const index = (...entries: readonly unknown[]) =>
  manifestOf({ mediaType: indexType, manifests: entries });

/** Walks an image in a registry that has these manifests. */
async function walk(root: Manifest, ...others: readonly Manifest[]) {
  const known = new Map([root, ...others].map((each) => [each.digest as string, each]));
  let reads = 0;
  const get = (_: unknown, digest: string) => {
    reads++;
    return Promise.resolve(known.get(digest));
  };
  const registry = { manifests: { get } } as unknown as RegistryClient;
  const digests: Digest[] = [];
  const problems: string[] = [];
  for await (const each of walkImages({ registry, repository, context: inTime() }, root)) {
    digests.push(each.digest);
    problems.push(...each.problems.map(({ message }) => message));
  }
  return { digests, problems, reads };
}

test("each image comes once, before the indexes that list it, and blobs are none", async () => {
  const [one, two] = [image("one"), image("two")];
  const inner = index(entryOf(one), entryOf(two));
  const blob = { ...entryOf(one), mediaType: "application/vnd.buildkit.cacheconfig.v0" };
  const outer = index(entryOf(two), blob, entryOf(inner), entryOf(two));
  const { digests, problems, reads } = await walk(outer, one, two, inner);
  const names = [two, one, inner, outer].map(({ digest }) => digest);
  expect({ digests, problems, reads }).toEqual({ digests: names, problems: [], reads: 3 });
});

test("what is missing, invalid or beyond the limits is said with its number", async () => {
  const many = Array.from({ length: 1_500 }, (_, number) => entryOf(image(`${number}`)));
  const { problems, reads, digests } = await walk(index({ size: 2 ** 63 }, ...many, []));
  expect(reads).toBe(1_000);
  expect(digests).toHaveLength(1_001);
  expect(problems[0]).toMatch(/, listed in the index sha256:.*, is not in the registry$/);
  expect(problems.slice(-2)).toEqual([
    expect.stringMatching(/has entries without a valid digest: 2$/),
    expect.stringMatching(
      /lists more images, of which 500 were not read: the maximum is 1000 images$/,
    ),
  ]);
});

test("indexes are read four levels deep", async () => {
  const indexes = [index(entryOf(image("deep")))];
  for (let depth = 1; depth <= 4; depth++) indexes.unshift(index(entryOf(indexes[0] ?? image(""))));
  const [root = image("")] = indexes;
  const { problems } = await walk(root, ...indexes);
  expect(problems).toEqual([
    expect.stringMatching(
      /lists more images, of which 1 were not read: indexes are read 4 levels deep$/,
    ),
  ]);
});
