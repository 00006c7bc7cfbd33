import { readFileSync } from "node:fs";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { verifyImage } from "../../../../src/core/signing/verify";
import { newKey } from "../policy/policy-texts";
import { connect, email, keyless, policyText, verifyImage as read } from "../provider/signing";
import { details } from "../../provider-kit/server/protocol";
import { attest, pushBuiltIndex, sign } from "../sign/operations";
import { openBench } from "../sign/signing-bench";
import { attachArtifact, attachEnvelope } from "./other-attachments";

const scanType = "https://example.com/scan/v1";
const notation = "application/vnd.cncf.notary.signature";
const attestations = [{ name: "scan", predicateType: scanType }];
const ours = newKey();

async function open(settings = {}) {
  const bench = await openBench(settings);
  const image = await bench.pushImage("verified");
  const trustedRoot = readFileSync(bench.local.files.trustedRoot, "utf8");
  const nameOf = ({ digest }: DigestReference) => `${formatRepository(image)}@${digest}`;
  const verdictOf = async (authority: object, of = image) => {
    const policy = policyText(bench.local, { authorities: [authority] });
    const verdict = await verifyImage({ image: nameOf(of), policy, trustedRoot });
    const [requirement] = verdict.policies[0]?.authorities[0]?.requirements ?? [];
    return { ...verdict, rejected: requirement?.rejected };
  };
  return { bench, image, verdictOf, nameOf };
}

describe.each([true, false])("with the referrers API: %s", (referrersApi) => {
  describe.each(["legacy", "bundle"])("for the format %s", (signatureFormat) => {
    const byKey = { name: "key", key: { data: ours.pem }, signatureFormat };

    test("an attestation outside of a bundle is shown, and does not count, although our key signed it", async () => {
      const { bench, image, verdictOf } = await open({ referrersApi });
      const predicate = { type: scanType, predicate: { critical: 0 } };
      const { digest } = await attachEnvelope(bench, image, ours, predicate);
      const { code, rejected, text } = await verdictOf({ ...byKey, attestations });
      expect({ code, rejected }).toEqual({
        code: "REFUSED",
        rejected: [
          {
            candidate: `the referrer ${digest}`,
            code: "UNCHECKED",
            problem:
              "is an attestation outside of a Sigstore bundle (application/vnd.in-toto+json), which is not checked",
          },
        ],
      });
      expect(text).toContain(`did not count (UNCHECKED): \`the referrer ${digest}\``);
      expect((await verdictOf(byKey)).rejected).toEqual([]);
    });

    test("a signature by Notation is shown where a signature is required, other artifacts where an attestation is", async () => {
      const { bench, image, verdictOf } = await open({ referrersApi });
      const bytes = Buffer.from("{}");
      const jws = { bytes, mediaType: "application/jose+json" };
      const signature = await attachArtifact(bench, image, notation, jws);
      const sbom = { bytes, mediaType: "application/spdx+json" };
      const list = await attachArtifact(bench, image, "application/spdx+json", sbom);
      expect((await verdictOf(byKey)).rejected).toEqual([
        {
          candidate: `the referrer ${signature.digest}`,
          code: "UNCHECKED",
          problem: `is a signature by Notation (${notation}), which is not checked`,
        },
      ]);
      expect((await verdictOf({ ...byKey, attestations })).rejected).toMatchObject([
        {
          candidate: `the referrer ${list.digest}`,
          problem: "is an artifact of the type application/spdx+json, which is not checked",
        },
      ]);
    });
  });
});

test("a bundle is shown to an authority for the format legacy, as what it claims to be", async () => {
  const { bench, image, verdictOf } = await open();
  const person = bench.person(email);
  const signed = await sign(bench, person, image, { format: "bundle" });
  const attested = await attest(bench, person, image, { format: "bundle" });
  const found = async (authority: object) =>
    (await verdictOf(authority)).rejected?.map(({ candidate, code }) => `${candidate} ${code}`);
  const bundle = (written: typeof signed) => [
    `the bundle ${written.bundles[0]?.digest ?? ""} UNCHECKED`,
  ];
  expect(await found(keyless(bench.local))).toEqual(bundle(signed));
  expect(await found(keyless(bench.local, { attestations }))).toEqual(bundle(attested));
});

test("attestations that a builder added to an index are shown", async () => {
  const { bench, verdictOf } = await open();
  const { image, about, index } = await pushBuiltIndex(bench);
  const authority = keyless(bench.local, { attestations });
  expect((await verdictOf(authority, index)).rejected).toEqual([
    {
      candidate: `the attestation manifest ${about.digest}`,
      code: "UNCHECKED",
      problem: `contains attestations of ${image.digest} by its builder, which are not checked`,
    },
  ]);
});

test("they are not looked for if the requirement is met", async () => {
  const { bench, image, verdictOf } = await open();
  await attachArtifact(bench, image, notation, { bytes: Buffer.from("{}"), mediaType: "a/b" });
  await sign(bench, bench.person(email), image);
  expect(await verdictOf(keyless(bench.local))).toMatchObject({ accepted: true, rejected: [] });
});

test("the data source names them when it refuses the image", async () => {
  const { bench, image, nameOf } = await open();
  const type = `${notation}\n# accepted`;
  await attachArtifact(bench, image, notation, { bytes: Buffer.from("{}"), mediaType: "a/b" });
  await attachArtifact(bench, image, type, { bytes: Buffer.from("{}"), mediaType: "a/b" });
  const provider = await connect(bench.local);
  const { diagnostics } = await read(provider, nameOf(image), policyText(bench.local));
  expect(details(diagnostics)).toContain("did not count (UNCHECKED): `the referrer ");
  expect(details(diagnostics)).not.toContain("\n# accepted");
});

test("a registry that does not list them does not change the verdict", async () => {
  const { bench, image } = await open();
  const broken = await bench.behindFaults(image, ({ path }) =>
    path.includes("/referrers/") ? { kind: "answer", status: 403 } : undefined,
  );
  const policy = policyText(bench.local);
  const trustedRoot = readFileSync(bench.local.files.trustedRoot, "utf8");
  const name = `${formatRepository(broken)}@${broken.digest}`;
  expect(await verifyImage({ image: name, policy, trustedRoot })).toMatchObject({
    code: "REFUSED",
    policies: [{ authorities: [{ code: "MISSING", requirements: [{ rejected: [] }] }] }],
  });
});
