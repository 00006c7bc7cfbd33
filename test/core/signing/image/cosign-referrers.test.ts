import { readFileSync } from "node:fs";
import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import { verifyImage } from "../../../../src/core/signing/verify";
import { email, keyless, policyText } from "../provider/signing";
import { attest, predicateType, sign } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";
import { nameOf, treeOf } from "../tree/trees";
import { referInsteadOfTags } from "../verify/other-attachments";
import type { QuirkName } from "../../../../src/local/signing/registry/quirks";

/** An image that is signed and attested as cosign does in its mode `oci-1-1`: each tag's image is a referrer instead. */
async function open(quirks: readonly QuirkName[] = [], withArtifactType = true) {
  const bench = await openBench({ quirks });
  const image = await bench.pushImage("signed");
  const person = bench.person(email);
  await sign(bench, person, image);
  await attest(bench, person, image);
  await referInsteadOfTags(bench, image, ["signature", "attestation"], withArtifactType);
  const trustedRoot = readFileSync(bench.local.files.trustedRoot, "utf8");
  const verdictOf = (authority: object = {}, of = nameOf(image), subject = email) => {
    const authorities = [keyless(bench.local, authority, subject)];
    const policy = policyText(bench.local, { authorities });
    return verifyImage({ image: of, policy, trustedRoot });
  };
  return { bench, image, verdictOf };
}

const attestations = [{ name: "scan", predicateType }];

describe.each<readonly [string, readonly QuirkName[]]>([
  ["with the referrers API", []],
  ["without it", ["no-referrers-api"]],
  ["listed without types", ["no-artifact-type"]],
  ["listed with empty types", ["empty-artifact-type"]],
  ["listed with a wrong size", ["size-too-large"]],
])("cosign's signatures as referrers, %s", (_, quirks) => {
  test.each([true, false])("are verified as legacy layers (artifactType: %s)", async (hasType) => {
    const { verdictOf } = await open(quirks, hasType);
    expect(await verdictOf()).toMatchObject({ accepted: true });
    expect(await verdictOf({ attestations })).toMatchObject({ accepted: true });
    const refused = await verdictOf({}, undefined, "eve@example.com");
    expect(refused.code).toBe("REFUSED");
    expect(refused.text).toContain("did not count (IDENTITY): `the layer sha256:");
  });
});

test("they are shown in a tree, once, and named where a bundle is required", async () => {
  const { bench, image, verdictOf } = await open();
  const { attached } = await treeOf(bench, image);
  expect(attached).toMatchObject([
    { kind: "signature", format: "legacy", check: { result: "verified" } },
    { kind: "attestation", format: "legacy", check: { result: "verified" } },
  ]);
  const { text } = await verdictOf({ signatureFormat: "bundle" });
  expect(text).toContain("has the format legacy");
});

test("they are verified in a copy", async () => {
  const { bench, image, verdictOf } = await open();
  const mirror = { ...bench.repository, path: "mirror/app" };
  await copyImage(image, mirror, { client: bench.registry, context: inTime() });
  const copied = nameOf({ ...mirror, digest: image.digest });
  expect(await verdictOf({}, copied)).toMatchObject({ accepted: true });
});

test("one of another image does not count", async () => {
  const { bench, image } = await open();
  const other = await bench.pushImage("another");
  const { registry, repository } = bench;
  const { referrers } = await registry.referrers.list(repository, image.digest, inTime());
  const subject = await registry.manifests.get(repository, other.digest, inTime());
  for (const { digest } of referrers) {
    const found = await registry.manifests.get(repository, digest, inTime());
    if (found === undefined || subject === undefined) throw new Error("nothing is signed");
    const about = { ...(found.json["subject"] as object), digest: other.digest };
    const bytes = Buffer.from(JSON.stringify({ ...found.json, subject: about }));
    const referrer = { mediaType: found.mediaType, bytes };
    await registry.referrers.add(repository, other.digest, referrer, inTime());
  }
  const { attached } = await treeOf(bench, other);
  expect(attached.map(({ check }) => check)).toMatchObject([
    { result: "refused", code: "CLAIM" },
    { result: "refused", code: "CLAIM" },
  ]);
});
