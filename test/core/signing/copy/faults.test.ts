import { copy } from "../../../../src/core/signing/copy/declare";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { buildWhenStale } from "../../../e2e/support/build";
import { startFront } from "../oci/registry/front";
import { openRegistry } from "../oci/registry/registries";
import {
  changes,
  eve,
  imageAt,
  repositoryAt,
  tryFaults,
  type Scene,
  type World,
} from "../provider/fault-trial";
import { attachedTo } from "../sign/attached";
import { sign as signOutside } from "../sign/operations";
import { inTime, openBench, restless, type SigningBench } from "../sign/signing-bench";
import { indexType, lenient } from "./lenient-registry";

beforeAll(buildWhenStale);

/** Where the image of a run is copied to. */
const pathOf = ({ image }: Pick<Scene, "image">): string => `mine/${image.digest.slice(7, 19)}`;

/** Fails unless a copy has these images with Eve's signatures, and the first of them under these tags. */
async function expectCopied(
  bench: SigningBench,
  registry: string,
  images: readonly DigestReference[],
  tags: readonly string[],
): Promise<void> {
  const [image] = images;
  if (image === undefined) throw new Error("there is no image");
  const there = { registry, path: pathOf({ image }) };
  const { manifests } = bench.registry;
  for (const tag of tags) {
    expect((await manifests.get(there, tag, inTime()))?.digest).toBe(image.digest);
  }
  for (const { digest } of images) {
    const copied = { ...there, digest };
    expect((await manifests.get(there, digest, inTime()))?.digest).toBe(digest);
    expect(await attachedTo({ ...bench, repository: there }, copied).signatures()).toEqual([eve]);
  }
}

const taggedAs = (tags: readonly string[]) => (world: World) => ({
  source: imageAt(world),
  destination: repositoryAt(world, pathOf(world.scene)),
  tags,
  timeouts: world.isUnanswered ? { create: "2s", update: "2s" } : null,
});

test.each([
  ["while it is new", changes, { create: 10, read: 2, delete: 0 }],
  ["while it gets another tag", changes, { update: 10 }],
  ["if a request has no response", ["no-answer"], { create: 10, read: 2 }],
] as const)(
  "a copy is complete and has its signatures, whatever happens %s",
  async (_, kinds, operations) => {
    const bench = await openBench({}, restless);
    const other = bench.person(eve);
    await tryFaults({
      bench,
      kinds,
      operations,
      prepare: (image) => signOutside(bench, other, image),
      declaration: copy,
      config: taggedAs(["v1"]),
      changed: taggedAs(["v2"]),
      check: ({ scene: { image } }) => {
        // A tag that is no longer in the configuration stays.
        const tags = "update" in operations ? ["v1", "v2"] : ["v1"];
        return expectCopied(bench, image.registry, [image], tags);
      },
    });
  },
);

test("a copy in another registry gets the images of more platforms, whatever happens", async () => {
  const bench = await openBench({}, restless);
  const other = bench.person(eve);
  const front = await startFront(`http://${await openRegistry("ours")}`, lenient());
  const indexes = new Map<string, readonly DigestReference[]>();
  const config = (world: World) => ({
    source: imageAt(world),
    destination: repositoryAt(world, pathOf(world.scene), "destination"),
    tags: ["v1"],
  });
  await tryFaults({
    bench,
    kinds: changes,
    operations: { update: 10 },
    services: { destination: `http://${front.host}` },
    async push(number) {
      const { manifests } = bench.registry;
      const images: DigestReference[] = [];
      const entries: object[] = [];
      for (const architecture of ["amd64", "arm64"]) {
        const image = await bench.pushImage(`${architecture} ${number}`);
        const found = await manifests.get(image, image.digest, inTime());
        const { mediaType, bytes } = found ?? { bytes: Buffer.of() };
        const platform = { os: "linux", architecture };
        images.push(image);
        entries.push({ mediaType, digest: image.digest, size: bytes.byteLength, platform });
      }
      const json = { schemaVersion: 2, mediaType: indexType, manifests: entries };
      const index = { mediaType: indexType, bytes: Buffer.from(JSON.stringify(json)) };
      const { digest } = await manifests.put(bench.repository, index, inTime());
      indexes.set(digest, images);
      return { ...bench.repository, digest };
    },
    prepare: (image) => signOutside(bench, other, image),
    declaration: copy,
    config: (world) => ({ ...config(world), platforms: ["linux/amd64"] }),
    changed: config,
    check: ({ scene: { image } }) =>
      expectCopied(bench, front.host, [image, ...(indexes.get(image.digest) ?? [])], ["v1"]),
  });
});
