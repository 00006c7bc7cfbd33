import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sign as signResource } from "../../../../src/core/signing/sign/declare";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import type { BundleServices } from "../../../../src/core/signing/provider/services";
import { treeText } from "../../../../src/core/signing/tree/tree-text";
import { temporaryFolder } from "../../../local/signing/local-services";
import { attaching, content, startFront } from "../oci/registry/front";
import { referrersOf } from "../oci/registry/referrers-of";
import { connect, email, make } from "../provider/signing";
import { attest, predicateType, pushBuiltIndex, sign } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";
import { attachArtifact } from "../verify/other-attachments";
import { nameOf, treeOf } from "./trees";

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

describe.each(["legacy", "bundle"] as const)("as %s", (format) => {
  test("a root without a certificate transparency log, such as GitHub's, verifies what it has", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("seen");
    await sign(bench, bench.person(email), image, { format });
    const { ctlogs, ...root } = JSON.parse(
      readFileSync(bench.local.files.trustedRoot, "utf8"),
    ) as Record<string, unknown>;
    expect(ctlogs).toHaveLength(1);
    const checks = async (changed: object): Promise<readonly unknown[]> =>
      (await treeOf(bench, image, JSON.stringify(changed))).attached.map(({ check }) => check);
    expect(await checks(root)).toEqual([{ result: "verified" }]);
    // Nothing else is waived: another instance verifies nothing.
    const other = await openBench();
    const foreign = JSON.parse(readFileSync(other.local.files.trustedRoot, "utf8")) as object;
    expect(await checks({ ...foreign, ctlogs: undefined })).toMatchObject([{ result: "refused" }]);
  });

  test("a signature and an attestation are shown with who, when, log and certificate", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("seen");
    await sign(bench, bench.person(email), image, { format });
    await attest(bench, bench.person("ci@example.com"), image, { format });
    const tree = await treeOf(bench, image);
    const issuer = bench.local.addresses.tokenIssuer;
    const url = bench.local.addresses.transparencyLog;
    const item = (subject: string) => ({
      format,
      check: { result: "verified" },
      signer: { subject, issuer },
      signed: { by: "log", at: time },
      certificate: { subjects: [subject], issuer, key: "EC prime256v1", promises: 1 },
      logEntries: [{ url, time, check: { result: "verified" }, hasPromise: true }],
    });
    expect(tree).toMatchObject({
      image: nameOf(image),
      images: [],
      notes: [],
      attached: [
        { kind: "signature", ...item(email) },
        { kind: "attestation", type: predicateType, ...item("ci@example.com") },
      ],
    });
    const proofs = tree.attached.flatMap(({ logEntries }) => logEntries.map(({ proof }) => proof));
    // A legacy signature comes with a promise of the log only.
    if (format === "legacy") expect(proofs).toEqual([undefined, undefined]);
    else
      expect(proofs).toMatchObject([
        { index: 0, treeSize: 1 },
        { index: 1, treeSize: 2 },
      ]);
    const lines = treeText(tree, 80).split("\n");
    expect(lines.filter((line) => line.length > 80 && line.includes(" ", 20))).toEqual([]);
    expect(lines.join("\n")).toContain(`by ${email} (identity confirmed by ${issuer})`);
  });

  test("a signature that was changed is shown as such, beside the others", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("seen");
    await sign(bench, bench.person(email), image, { format });
    const other = await bench.pushImage("another");
    await sign(bench, bench.person("eve@example.com"), other, { format });
    // Somebody attaches the signature of another image.
    const { registry, repository } = bench;
    const context = inTime();
    if (format === "legacy") {
      const tag = tagOfDigest(other.digest, ".sig");
      const signature = await registry.manifests.get(repository, tag, context);
      if (signature === undefined) throw new Error("there is no signature");
      const at = { tag: tagOfDigest(image.digest, ".sig") };
      await registry.manifests.put(repository, signature, context, at);
    } else {
      const [bundle] = await referrersOf(registry, repository, other.digest);
      const layers = bundle?.json["layers"] as {
        digest: `sha256:${string}`;
        size: number;
      }[];
      const bytes = await registry.blobs.get(repository, layers[0] ?? neverListed, context);
      const mediaType = "application/vnd.dev.sigstore.bundle.v0.3+json";
      await attachArtifact(bench, image, mediaType, { bytes, mediaType });
    }
    const { attached } = await treeOf(bench, image);
    const wrong = attached.filter(({ check }) => check.result !== "verified");
    expect(wrong).toMatchObject([
      {
        kind: "signature",
        check: { result: "refused", code: "CLAIM" },
        certificate: { subjects: ["eve@example.com"] },
        logEntries: [{ check: { result: "verified" } }],
      },
    ]);
    expect(wrong[0]).not.toHaveProperty("signer");
    expect(attached).toHaveLength(format === "legacy" ? 1 : 2);
  });
});

const neverListed = { digest: `sha256:${"0".repeat(64)}`, size: 0 } as const;

test("bundles are found in a registry without the referrers API", async () => {
  const bench = await openBench({ referrersApi: false });
  const image = await bench.pushImage("seen");
  await sign(bench, bench.person(email), image, { format: "bundle" });
  const { attached } = await treeOf(bench, image);
  expect(attached).toMatchObject([{ format: "bundle", check: { result: "verified" } }]);
});

test("with version 2 of the log, the time comes from a timestamp", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("seen");
  const services: BundleServices = {
    logs: [{ url: bench.urls.rekorUrl, version: 2 }],
    timestampUrls: [bench.local.addresses.timestampAuthority],
  };
  const person = bench.person(email, { bundleServices: services });
  await sign(bench, person, image, { format: "bundle" });
  const { attached } = await treeOf(bench, image);
  expect(attached).toMatchObject([
    {
      check: { result: "verified" },
      signed: { by: "timestamp", at: time },
      timestamps: [{ time, check: { result: "verified" } }],
      logEntries: [
        { kind: "hashedrekord/0.0.2", hasPromise: false, proof: { treeSize: 1, hashes: 0 } },
      ],
    },
  ]);
  expect(attached[0]?.logEntries[0]).not.toHaveProperty("time");
});

test.each([true, false])(
  "a key is found in the log (%s), and named by its hash",
  async (logged) => {
    const bench = await openBench();
    const image = await bench.pushImage("seen");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = join(await temporaryFolder(), "a.key");
    await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }));
    const provider = await connect(bench.local, {
      key,
      transparencyLog: logged,
      identityToken: null,
    });
    await make(provider, signResource, { image: nameOf(image), signatureFormat: "legacy" });
    const { attached } = await treeOf(bench, image);
    expect(attached).toMatchObject([
      logged
        ? {
            check: { result: "verified" },
            signer: { key: expect.stringMatching(/^[\da-f]{64}$/) as string },
          }
        : { check: { result: "unchecked", problem: expect.stringContaining("a key") as string } },
    ]);
  },
);

test("the images of an index are below it, also those that are missing", async () => {
  const bench = await openBench();
  const { image, about, index } = await pushBuiltIndex(bench);
  const gone = await bench.pushImage("gone");
  const both = await bench.pushIndex(index, gone);
  await sign(bench, bench.person(email), image);
  await bench.registry.manifests.remove(bench.repository, gone.digest, inTime());
  const tree = await treeOf(bench, both);
  expect(tree).toMatchObject({
    attached: [],
    images: [
      {
        image: nameOf(index),
        images: [
          { image: nameOf(image), platform: "linux/arm64", attached: [{ kind: "signature" }] },
          { image: nameOf(about), isAboutImage: true },
        ],
      },
      {
        image: nameOf(gone),
        notes: [expect.stringMatching(/is not in the registry\.$/) as string],
      },
    ],
  });
  expect(treeText(tree)).toContain(`\n│  ├─ linux/arm64 ${image.digest}\n`);
});

test("without a trusted root, nothing is verified, and all is shown", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("seen");
  await sign(bench, bench.person(email), image);
  const tree = await treeOf(bench, image, "{}");
  expect(tree.notes).toEqual([expect.stringContaining("Nothing was verified")]);
  expect(tree.attached).toMatchObject([
    { check: { result: "unchecked" }, certificate: { subjects: [email] } },
  ]);
  const empty = '{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}';
  const distrusted = await treeOf(bench, image, empty);
  expect(distrusted.attached).toMatchObject([{ check: { result: "unchecked", code: "NO_TRUST" } }]);
});

/** What a registry that somebody controls may list. */
async function hostile(bench: SigningBench, image: DigestReference) {
  const escape = "\u001b]0;owned\u0007\u202e<img src=x onerror=alert(1)>";
  const garbage = content(() => Buffer.from(`{"${escape}":`));
  const layer = (mediaType: string, annotations: object = {}) => ({
    mediaType,
    digest: garbage.digest,
    size: garbage.size,
    annotations,
  });
  const added = {
    tag: tagOfDigest(image.digest, ".att"),
    layers: [
      layer("application/vnd.dsse.envelope.v1+json", { predicateType: escape }),
      layer(escape),
      { mediaType: "application/vnd.dsse.envelope.v1+json", digest: "sha256:1", size: -1 },
    ],
    contents: [garbage],
  };
  const front = await startFront(bench.local.addresses.registry, attaching(added));
  return { ...image, registry: front.host };
}

test("what is broken is shown as such, and cannot write to the terminal", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("attacked");
  await sign(bench, bench.person(email), image);
  await attest(bench, bench.person(email), image);
  const type = "application/x\u001b[31m\u202e";
  await attachArtifact(bench, image, type, { bytes: Buffer.from("x"), mediaType: "text/plain" });
  const tree = await treeOf(bench, await hostile(bench, image));
  expect(tree.attached.filter(({ check }) => check.result === "verified")).toHaveLength(2);
  const broken = tree.attached.filter(({ check }) => check.result === "refused");
  expect(broken.map(({ check }) => "code" in check && check.code)).toEqual(Array(3).fill("FORMAT"));
  expect(tree.attached.at(-1)).toMatchObject({ kind: "artifact" });
  // eslint-disable-next-line no-control-regex
  expect(treeText(tree)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
