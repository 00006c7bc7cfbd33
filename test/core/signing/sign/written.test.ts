import { missingOf, parseWritten } from "../../../../src/core/signing/sign/attached-layers";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import { attest, sign } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";

const ada = "ada@example.com";
const eve = "eve@example.com";

const record = {
  version: 1,
  repository: "registry.example.com/team/app",
  layers: [
    {
      tag: `sha256-${"a".repeat(64)}.sig`,
      digest: `sha256:${"b".repeat(64)}`,
      signature: "c".repeat(64),
    },
  ],
  bundles: [{ subject: `sha256:${"a".repeat(64)}`, digest: `sha256:${"d".repeat(64)}` }],
};

it("reads a record that was kept as JSON", () => {
  expect(parseWritten(JSON.parse(JSON.stringify(record)))).toEqual(record);
});

it.each([
  undefined,
  null,
  [],
  "",
  {},
  { ...record, version: 2 },
  { ...record, repository: "not a repository" },
  { ...record, layers: {} },
  { ...record, layers: [{ ...record.layers[0], tag: "latest" }] },
  { ...record, layers: [{ ...record.layers[0], digest: "sha256:b" }] },
  { ...record, layers: [{ ...record.layers[0], signature: 1 }] },
  { ...record, bundles: [null] },
  { ...record, bundles: [{ subject: "x", digest: "y" }] },
])("ignores what is not a record: %j", (value) => {
  expect(parseWritten(value)).toBeUndefined();
});

describe.each([true, false])("with the referrers API: %s", (referrersApi) => {
  it("reports nothing missing at first, and then what was removed", async () => {
    const bench = await openBench({ referrersApi });
    const image = await bench.pushImage("one");
    const person = bench.person(ada);
    const signed = await sign(bench, person, image, { format: "both" });
    const attested = await attest(bench, person, image, { format: "both" });
    await sign(bench, bench.person(eve), image, { format: "both" });
    const missing = async (written: typeof signed) => missingOf(written, bench, inTime());
    expect(await missing(signed)).toEqual([]);
    expect(await missing(attested)).toEqual([]);

    const { registry, repository } = bench;
    const tag = tagOfDigest(image.digest, ".sig");
    const manifest = await registry.manifests.get(repository, tag, inTime());
    if (manifest === undefined) throw new Error("there is no signature");
    const { mediaType, json } = manifest;
    // As the other one would have written it alone.
    const layers = Array.isArray(json["layers"]) ? json["layers"].slice(1) : [];
    const bytes = Buffer.from(JSON.stringify({ ...json, layers }));
    await registry.manifests.put(repository, { mediaType, bytes }, inTime(), { tag });
    for (const { digest } of signed.bundles) {
      await registry.referrers.remove(repository, image.digest, digest, inTime());
    }
    expect(await missing(signed)).toEqual([
      `the signature at the tag ${tag}`,
      `the bundle ${signed.bundles[0]?.digest ?? ""} of ${image.digest}`,
    ]);
    expect(await missing(attested)).toEqual([]);
  });
});

it("reports everything missing in a repository that was removed", async () => {
  const bench = await openBench();
  const { registry } = bench.repository;
  const written = parseWritten({ ...record, repository: `${registry}/nothing/here` });
  if (written === undefined) throw new Error("the record is none");
  expect(await missingOf(written, bench, inTime())).toHaveLength(2);
});
