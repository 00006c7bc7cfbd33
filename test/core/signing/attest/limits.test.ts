import { attest as attestResource } from "../../../../src/core/signing/attest/declare";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import { sample } from "../../../all-tests";
import { connect, keyless, make, policyText, verifyImage } from "../provider/signing";
import { attest, predicateType } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";

const mib = 1024 * 1024;
const manifestType = "application/vnd.oci.image.manifest.v1+json";

const numbers = Array.from({ length: 50_000 }, (_, number) => number);
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

type Row = readonly ["legacy" | "bundle", string, () => unknown];

/** Layers have another large predicate, and the one with a single escape is in a bundle. */
const repeated: readonly Row[] = [
  ["legacy", "of 10 MiB with one escape", () => ({ text: `${"a".repeat(10 * mib)}\n` })],
];

test.each<Row>([
  ...sample(repeated, []),
  ["bundle", "of 10 MiB with one escape", () => ({ text: `${"a".repeat(10 * mib)}\n` })],
  ["legacy", "of 6 MiB of escapes", () => ({ text: '"'.repeat(3 * mib) })],
  ["bundle", "of 50,000 members", () => Object.fromEntries(numbers.map((n) => [`m${n}`, n]))],
  ["bundle", "of 250 levels", () => JSON.parse(`{"a":${nested(249)}}`) as unknown],
])(
  "a predicate (%s) %s is attested, found again and verified",
  async (signatureFormat, _, predicate) => {
    const bench = await openBench();
    const { registry, path, digest } = await bench.pushImage("large");
    const image = `${registry}/${path}@${digest}`;
    const provider = await connect(bench.local);
    const predicates = [{ type: predicateType, json: JSON.stringify(predicate()) }];
    const config = { image, predicates, signatureFormat };
    await make(provider, attestResource, config);
    await make(provider, attestResource, config);
    expect(await bench.logSize()).toBe(1);
    const attestations = [{ name: "large", predicateType }];
    const authorities = [keyless(bench.local, { signatureFormat, attestations })];
    const policy = policyText(bench.local, { authorities });
    expect((await verifyImage(provider, image, policy)).summaries).toEqual([]);
  },
);

// Predicates are checked before the format matters.
describe.each(sample<readonly ("legacy" | "bundle")[]>(["legacy", "bundle"], ["bundle"]))(
  "a predicate (%s)",
  (format) => {
    test.each<readonly [string, () => string, RegExp]>([
      // The statement around it is one level deeper.
      ["of 256 levels", () => `{"a":${nested(255)}}`, /more than 256 levels of nesting/],
      ["of a million levels", () => `{"a":${nested(mib)}}`, /more than 256 levels of nesting/],
      [
        "of two million values",
        () => `{"a":[${"1,".repeat(2_000_000)}1]}`,
        /more than 2000000 values/,
      ],
      [
        "of 7 MiB that escapes make larger",
        () => `{"a":"${"<".repeat(7 * mib)}"}`,
        /more than the maximum of 37748736/,
      ],
      ["of 33 MiB", () => `{"a":"${"a".repeat(33 * mib)}"}`, /larger than 32 MiB/],
    ])("%s is refused before anything is logged", async (_, json, message) => {
      const bench = await openBench();
      const image = await bench.pushImage("large");
      const person = bench.person("dev@example.com");
      const attesting = attest(bench, person, image, {
        predicates: [{ type: predicateType, json: json() }],
        format,
      });
      await expect(attesting).rejects.toMatchObject({ code: "PREDICATE" });
      await expect(attesting).rejects.toThrow(message);
      expect(await bench.logSize()).toBe(0);
      expect(person.asked()).toBe(0);
    });
  },
);

test("nothing is logged when the tag has no room", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("full");
  const { digest } = await bench.registry.uploads.put(bench.repository, Buffer.from("x"), inTime());
  const part = { mediaType: "application/vnd.example", digest, size: 1 };
  const annotations = { padding: "x".repeat(4 * mib - 40_000) };
  const json = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: part,
    layers: [part],
    annotations,
  };
  const manifest = { mediaType: manifestType, bytes: Buffer.from(JSON.stringify(json)) };
  const tag = tagOfDigest(image.digest, ".att");
  await bench.registry.manifests.put(bench.repository, manifest, inTime(), { tag });
  const attesting = attest(bench, bench.person("dev@example.com"), image);
  await expect(attesting).rejects.toMatchObject({ code: "TOO_MANY_LAYERS" });
  await expect(attesting).rejects.toThrow(`${tag} would have a manifest of more than 4 MiB`);
  expect(await bench.logSize()).toBe(0);
});

test("nothing is logged when the manifest under the tag is nested deeply", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("deep");
  const { digest } = await bench.registry.uploads.put(bench.repository, Buffer.from("x"), inTime());
  const part = { mediaType: "application/vnd.example", digest, size: 1 };
  const json = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: part,
    layers: [part],
  });
  const deep = `${json.slice(0, -1)},"x":${nested(5_000)}}`;
  const manifest = { mediaType: manifestType, bytes: Buffer.from(deep) };
  const tag = tagOfDigest(image.digest, ".att");
  await bench.registry.manifests.put(bench.repository, manifest, inTime(), { tag });
  const attesting = attest(bench, bench.person("dev@example.com"), image);
  await expect(attesting).rejects.toMatchObject({ code: "MALFORMED_ANSWER" });
  expect(await bench.logSize()).toBe(0);
});

test("nothing is logged when bundles cannot be listed", async () => {
  const bench = await openBench({ referrersApi: false });
  const image = await bench.pushImage("taken");
  const found = await bench.registry.manifests.get(bench.repository, image.digest, inTime());
  if (found === undefined) throw new Error("no image");
  const tag = tagOfDigest(image.digest);
  await bench.registry.manifests.put(bench.repository, found, inTime(), { tag });
  const attesting = attest(bench, bench.person("dev@example.com"), image, { format: "bundle" });
  await expect(attesting).rejects.toMatchObject({ code: "TAG_TAKEN" });
  expect(await bench.logSize()).toBe(0);
});
