import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import { copy } from "../../../../src/core/signing/copy/declare";
import {
  type DigestReference,
  formatRepository,
  type Repository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { details, summaries } from "../../provider-kit/server/protocol";
import { startFront } from "../oci/registry/front";
import {
  contextOf,
  openClient,
  openRegistry,
  pushImage,
  pushReferrer,
  json,
} from "../oci/registry/registries";
import { apply, connect, make, plan, policyText, refresh, verifyImage } from "../provider/signing";
import { sign } from "../../../../src/core/signing/sign/declare";
import { inTime, openBench } from "../sign/signing-bench";
import { indexType, lenient } from "./lenient-registry";

const context = contextOf();
const platforms = {
  amd64: { os: "linux", architecture: "amd64" },
  arm64: { os: "linux", architecture: "arm64", variant: "v8" },
  armV6: { os: "linux", architecture: "arm", variant: "v6" },
  armV7: { os: "linux", architecture: "arm", variant: "v7" },
} as const;

/** An index of four images and an attestation of the first, as builders write it. */
async function openIndex() {
  const registry = await openRegistry("ours");
  const client = openClient();
  const repository: Repository = { registry, path: "lab/app" };
  const entries: object[] = [];
  const digests: Record<string, string> = {};
  for (const [name, platform] of Object.entries(platforms)) {
    const image = await pushImage(client, repository, name);
    digests[name] = image.digest;
    entries.push({ ...image, platform });
  }
  const about = { "vnd.docker.reference.digest": digests["amd64"] };
  const attestation = await pushImage(client, repository, "attestation");
  digests["attestation"] = attestation.digest;
  const unknown = { os: "unknown", architecture: "unknown" };
  entries.push({ ...attestation, platform: unknown, annotations: about });
  const bytes = json({ schemaVersion: 2, mediaType: indexType, manifests: entries });
  const index = await client.manifests.put(repository, { mediaType: indexType, bytes }, context);
  await pushReferrer(client, repository, index, "bundle of the index");
  const behind = await openRegistry("ours");
  const front = await startFront(`http://${behind}`, lenient());
  const destination = { registry: front.host, path: "mirror/app" };
  const source: DigestReference = { ...repository, digest: index.digest };
  const names = async (place: Repository) => {
    const found: string[] = [];
    for (const [name, digest] of Object.entries(digests)) {
      if ((await client.manifests.head(place, digest, context)) !== undefined) found.push(name);
    }
    return found;
  };
  return { client, repository, source, destination, names, index, digests };
}

describe("platforms of an index", () => {
  test.each<readonly [readonly string[], readonly string[]]>([
    [["linux/amd64"], ["amd64", "attestation"]],
    [["linux/arm64"], ["arm64"]],
    [
      ["linux/arm64/v8", "linux/arm/v7"],
      ["arm64", "armV7"],
    ],
    [["linux/arm"], ["armV6", "armV7"]],
  ])("%j are copied as %j, with the unchanged index", async (wanted, expected) => {
    const { client, source, destination, names, index } = await openIndex();
    const result = await copyImage(source, destination, { client, context, platforms: wanted });
    expect(await names(destination)).toEqual(expected);
    expect(result).toMatchObject({
      copiedRef: `${formatRepository(destination)}@${index.digest}`,
      referrers: 1,
      warnings: [],
    });
    const copied = await client.manifests.get(destination, index.digest, context);
    expect(copied?.digest).toBe(index.digest);
  });

  test("that the index does not have are named, with those that it has", async () => {
    const { client, source, destination, names } = await openIndex();
    const wanted = ["linux/amd64", "linux/s390x", "linux/arm64/v9"];
    const copying = copyImage(source, destination, { client, context, platforms: wanted });
    await expect(copying).rejects.toMatchObject({ code: "PLATFORMS" });
    await expect(copying).rejects.toThrow(
      "has no image for linux/s390x, linux/arm64/v9; it has images for linux/amd64, linux/arm64/v8, linux/arm/v6, linux/arm/v7",
    );
    expect(await names(destination)).toEqual([]);
  });

  test("of a single image are refused", async () => {
    const { client, repository, destination } = await openIndex();
    const { digest } = await pushImage(client, repository, "single");
    const source = { ...repository, digest };
    const copying = copyImage(source, destination, { client, context, platforms: ["linux/amd64"] });
    await expect(copying).rejects.toMatchObject({ code: "PLATFORMS" });
    await expect(copying).rejects.toThrow("is a single image");
  });

  test("are refused by a registry that wants all images, with a way out", async () => {
    const { client, source, digests } = await openIndex();
    const destination = { registry: await openRegistry("ours"), path: "mirror/app" };
    const copying = copyImage(source, destination, { client, context, platforms: ["linux/amd64"] });
    await expect(copying).rejects.toMatchObject({ code: "PLATFORMS" });
    await expect(copying).rejects.toThrow(
      `copy all platforms, or the image of one platform by its digest (linux/amd64 is ${digests["amd64"] ?? ""})`,
    );
  });
});

async function openProvider() {
  const bench = await openBench();
  const image = await bench.pushImage("tagged");
  const mine: Repository = { ...bench.repository, path: "mine/app" };
  const source = `${formatRepository(image)}@${image.digest}`;
  const config = { source, destination: formatRepository(mine) };
  const provider = await connect(bench.local);
  const digestAt = async (tag: string) =>
    (await bench.registry.manifests.head(mine, tag, inTime()))?.digest;
  const tag = async (name: string, content: string) => {
    const manifest = await bench.registry.manifests.get(
      bench.repository,
      (await bench.pushImage(content)).digest,
      inTime(),
    );
    if (manifest === undefined) throw new Error("no image");
    await copyImage({ ...bench.repository, digest: manifest.digest }, mine, {
      client: bench.registry,
      context: inTime(),
      tags: [name],
    });
  };
  return { bench, image, config, provider, digestAt, tag };
}

describe("tags of a copy", () => {
  test("are set, and set again when they moved or are gone", async () => {
    const { image, config, provider, digestAt, tag } = await openProvider();
    const tagged = { ...config, tags: ["v1", "latest"] };
    const kept = await make(provider, copy, tagged);
    expect([await digestAt("v1"), await digestAt("latest")]).toEqual([image.digest, image.digest]);
    expect((await refresh(provider, copy, kept)).state).toEqual(kept.state);
    expect((await plan(provider, copy, tagged, kept)).action).toBe("no-op");

    await tag("latest", "another");
    expect(await digestAt("latest")).not.toBe(image.digest);
    const drifted = await refresh(provider, copy, kept);
    expect(drifted.state).toEqual({ ...kept.state, tags: ["v1"] });
    const stored = { ...kept, state: drifted.state ?? {} };
    const again = await make(provider, copy, tagged, stored);
    expect(again.state).toEqual(kept.state);
    expect(await digestAt("latest")).toBe(image.digest);
  });

  test("are added in place, and stay when they are removed from the list", async () => {
    const { image, config, provider, digestAt } = await openProvider();
    const none = await make(provider, copy, config);
    expect(none.state).toMatchObject({ tags: null });
    const one = await make(provider, copy, { ...config, tags: ["v1"] }, none);
    const other = await make(provider, copy, { ...config, tags: ["v2"] }, one);
    expect([await digestAt("v1"), await digestAt("v2")]).toEqual([image.digest, image.digest]);
    expect((await refresh(provider, copy, other)).state).toMatchObject({ tags: ["v2"] });
  });

  test("can be set where the image is already, and lead to a signed image", async () => {
    const { bench, image, config, provider } = await openProvider();
    await make(provider, sign, { image: config.source });
    const destination = formatRepository(image);
    await make(provider, copy, { source: config.source, destination, tags: ["release"] });
    const policy = policyText(bench.local);
    expect((await verifyImage(provider, `${destination}:release`, policy)).summaries).toEqual([]);
  });
});

test("platforms of a single image are an error that says so", async () => {
  const { config, provider } = await openProvider();
  const { state, diagnostics } = await apply(provider, copy, {
    ...config,
    platforms: ["linux/amd64"],
  });
  expect(state).toBeNull();
  expect(summaries(diagnostics)).toEqual(["ERROR - Platforms Cannot Be Copied"]);
  expect(details(diagnostics)).toContain("remove platforms to copy it");
});
