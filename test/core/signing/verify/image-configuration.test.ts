import { readConfiguration } from "../../../../src/core/signing/verify/image-configuration";
import { imageConfigurations } from "../../../../src/core/signing/verify/image-configuration";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { inTime, openBench } from "../sign/signing-bench";

const mediaType = "application/vnd.oci.image.manifest.v1+json";
const configType = "application/vnd.oci.image.config.v1+json";

async function open() {
  const bench = await openBench();
  const { registry, repository } = bench;
  const pushConfigured = async (text: string): Promise<DigestReference> => {
    const config = await registry.uploads.put(repository, Buffer.from(text), inTime());
    const json = { schemaVersion: 2, mediaType, config: { ...config, mediaType: configType } };
    const bytes = Buffer.from(JSON.stringify({ ...json, layers: [] }));
    const { digest } = await registry.manifests.put(repository, { mediaType, bytes }, inTime());
    return { ...repository, digest };
  };
  const read = ({ digest }: DigestReference) =>
    imageConfigurations({ registry, repository, context: inTime() }, digest);
  return { bench, pushConfigured, read };
}

const linux = (architecture: string, more: object = {}): string =>
  JSON.stringify({ architecture, os: "linux", created: "2026-05-05T10:00:00Z", ...more });

const empty = { created: "2026-05-05T10:00:00Z", os: "linux", config: {} };
const noLayers = { type: "", diff_ids: null };

test("an image has one configuration, by its platform", async () => {
  const { pushConfigured, read } = await open();
  const image = await pushConfigured(linux("arm64", { variant: "v8", config: { User: "app" } }));
  expect(await read(image)).toEqual({
    "linux/arm64/v8": {
      ...empty,
      architecture: "arm64",
      variant: "v8",
      config: { User: "app" },
      rootfs: noLayers,
    },
  });
});

test("an index has one for each platform, also of the indexes in it", async () => {
  const { bench, pushConfigured, read } = await open();
  const inner = await bench.pushIndex(await pushConfigured(linux("amd64")));
  const index = await bench.pushIndex(inner, await pushConfigured(linux("riscv64")), inner);
  expect(Object.keys(await read(index)).sort()).toEqual(["linux/amd64", "linux/riscv64"]);
});

test("one that cannot be read is an error, with a code", async () => {
  const { bench, pushConfigured, read } = await open();
  const broken = await pushConfigured(`{"architecture":5}`);
  await expect(read(broken)).rejects.toMatchObject({ code: "MALFORMED_ANSWER" });
  await expect(read(await bench.pushIndex(broken))).rejects.toMatchObject({
    code: "MALFORMED_ANSWER",
  });
  const missing = { ...broken, digest: `sha256:${"0".repeat(64)}` } as const;
  await expect(read(missing)).rejects.toMatchObject({ code: "IMAGE_MISSING" });
});

test("fields are those that the policy controller has", () => {
  const written = {
    architecture: "amd64",
    os: "linux",
    unknown: 1,
    author: "",
    history: [{ created_by: "make", empty_layer: false, comment: "", more: 1 }],
    rootfs: { type: "layers", diff_ids: ["sha256:a"] },
    config: {
      User: "",
      Env: [],
      Labels: { a: "b" },
      ExposedPorts: { "80/tcp": { more: 1 } },
      Healthcheck: { Test: ["CMD"], Interval: 30_000_000_000, Retries: 0 },
      Tty: false,
      Extra: "x",
    },
  };
  expect(readConfiguration(written)).toEqual({
    architecture: "amd64",
    os: "linux",
    created: "0001-01-01T00:00:00Z",
    history: [{ created: "0001-01-01T00:00:00Z", created_by: "make" }],
    rootfs: { type: "layers", diff_ids: ["sha256:a"] },
    config: {
      Labels: { a: "b" },
      ExposedPorts: { "80/tcp": {} },
      Healthcheck: { Test: ["CMD"], Interval: 30_000_000_000 },
    },
  });
});

test.each([
  [{ os: 1 }],
  [{ created: "yesterday" }],
  [{ config: { Env: "A=b" } }],
  [{ config: { Labels: { a: 1 } } }],
  [{ history: [1] }],
  [{ history: [{ empty_layer: "no" }] }],
  [{ rootfs: [] }],
])("a field of another type is refused: %j", (written) => {
  expect(readConfiguration(written)).toBeUndefined();
});
