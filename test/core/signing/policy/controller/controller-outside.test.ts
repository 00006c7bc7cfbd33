import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Digest } from "../../../../../src/core/signing/oci/reference/descriptor";
import {
  formatRepository,
  parseReference,
} from "../../../../../src/core/signing/oci/reference/image-name";
import { ImageGlob } from "../../../../../src/core/signing/policy/image-glob";
import { policyProblems } from "../../../../../src/core/signing/policy/parse/parse-policies";
import { localKeySigner } from "../../../../../src/core/signing/sigstore/key/key-signer";
import { ImageVerifier, verifyImage } from "../../../../../src/core/signing/verify";
import { root } from "../../../../docs/page";
import { closeAfterTest } from "../../../http/close-after-test";
import { skippedWithout } from "../../../../on-path";
import { sign } from "../../sign/operations";
import { openBench } from "../../sign/signing-bench";
import { attachEnvelope, referInsteadOfTags } from "../../verify/other-attachments";
import { newKey } from "../policy-texts";
import { keysOf, trustRoot as trustRootText } from "../trust-root-text";
import { globs, names } from "./globs";
import { dev, makeImages, scanType } from "./images";
import { makeSpecs, trustRootRef } from "./policies";
import { askTester, tester } from "./tester";

skippedWithout(tester === undefined ? ["policy-controller-tester"] : [], "nothing is compared");
const compared = tester === undefined ? test.skip : test;

/**
 * Defects of the policy controller (f925c0c1, 0.13.1): policies with which it refuses what it should accept, and why. It keeps the ID
 * of a log as hexadecimal text, so that it finds the log of no bundle.
 */
const defects: ReadonlySet<string> = new Set(["a bundle", "a scan as a bundle"]);

/** The policies that are stricter here on purpose, as the guide has them. */
const strictOnPurpose: ReadonlySet<string> = new Set([
  "a stamped person",
  "a certificate authority elsewhere",
  "a field that only the policy sets",
  "a scan that must say more",
  "one of two in Rego",
]);

const document = (name: string, spec: object, annotations: object = {}): string =>
  JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name, annotations },
    spec,
  });

/** Runs a task for each item, as many at a time as there are processors. */
async function forEach<T>(items: readonly T[], task: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await task(item);
  };
  await Promise.all(cpus().map(work));
}

compared(
  "a policy accepts here only what it accepts in a cluster",
  async () => {
    const bench = await openBench();
    const [ours, theirs] = [newKey(), newKey()];
    const images = await makeImages(bench, ours, theirs);
    const verifier = new ImageVerifier({
      // Only the TrustRoot is trusted.
      trustedRoot: "/nowhere",
      environment: { PATH: process.env["PATH"] },
    });
    closeAfterTest(() => verifier.close());
    const trustRoot = trustRootText(trustRootRef, keysOf(bench.local));
    const pairs = Object.entries(makeSpecs(bench.local, ours)).flatMap(
      ([name, { spec, annotations }]) =>
        [...images].map(([what, image]) => {
          const policy = document("compared", { images: [{ glob: "**" }], ...spec }, annotations);
          return { name, what, image, policy };
        }),
    );
    expect(pairs.length).toBeGreaterThanOrEqual(300);
    const counts = { accepted: 0, refused: 0, laxer: 0, stricter: 0 };
    const [laxer, stricter]: [string[], string[]] = [[], []];
    await forEach(pairs, async ({ name, what, image, policy }) => {
      const theirs = await askTester(policy, image, { trustRoot });
      const here = await verifier.verify({ image, policy: `${policy}\n---\n${trustRoot}` }).then(
        ({ accepted, text }) => ({ accepts: accepted, words: text }),
        (error: unknown) => ({ accepts: false, words: String(error) }),
      );
      const pair = `${name} / ${what}`;
      if (here.accepts === theirs.accepts) counts[here.accepts ? "accepted" : "refused"]++;
      else if (here.accepts) {
        counts.laxer++;
        if (!defects.has(name)) laxer.push(`${pair}: ${theirs.words}`);
      } else {
        counts.stricter++;
        if (!strictOnPurpose.has(name)) stricter.push(`${pair}: ${here.words}`);
      }
    });
    console.log(`${pairs.length} pairs: ${JSON.stringify(counts)}`);
    expect({ laxer, stricter }).toEqual({ laxer: [], stricter: [] });
    expect(counts.accepted).toBeGreaterThan(50);
  },
  600_000,
);

compared(
  "an expired certificate needs a log or a timestamp in a cluster, as the note says",
  async () => {
    const now = (): Date => new Date(Date.now() - 1_200_000);
    const bench = await openBench({ now });
    const image = await bench.pushImage("old");
    const { timestampAuthority: timestampUrl } = bench.local.addresses;
    await sign(bench, bench.person(dev, { now, timestampUrl }), image);
    const reference = `${formatRepository(image)}@${image.digest}`;
    const trustRoot = trustRootText(trustRootRef, keysOf(bench.local));
    const {
      certificateAuthority: url,
      tokenIssuer: issuer,
      transparencyLog,
    } = bench.local.addresses;
    const keyless = { url, trustRootRef, identities: [{ issuer, subject: dev }] };
    const found: Record<string, unknown> = {};
    for (const [name, more] of Object.entries({
      neither: {},
      log: { ctlog: { url: transparencyLog, trustRootRef } },
      timestamp: { rfc3161timestamp: { trustRootRef } },
    })) {
      const spec = {
        images: [{ glob: "**" }],
        authorities: [{ name: "person", keyless, ...more }],
      };
      const policy = document("compared", spec);
      const { accepted, notes } = await verifyImage({
        image: reference,
        policy: `${policy}\n---\n${trustRoot}`,
        trustedRoot: "/nowhere",
      });
      const there = (await askTester(policy, reference, { trustRoot })).accepts;
      found[name] = { here: accepted, there, noted: notes.some((note) => note.includes("ctlog")) };
    }
    expect(found).toEqual({
      neither: { here: true, there: false, noted: true },
      log: { here: true, there: true, noted: false },
      timestamp: { here: true, there: true, noted: false },
    });
  },
);

compared("what counts only here is what the guide lists", async () => {
  const bench = await openBench();
  const ours = newKey();
  const open = () => Promise.resolve(localKeySigner(ours.privateKey));
  const byKey = bench.person(dev, { key: { open, isLogged: false } });
  const bundled = await bench.pushImage("bundled");
  await sign(bench, byKey, bundled, { format: "bundle" });
  const referring = await bench.pushImage("referring");
  await sign(bench, byKey, referring);
  await referInsteadOfTags(bench, referring, ["signature"]);
  const key = { data: ours.pem };
  const found: Record<string, unknown> = {};
  for (const [name, image, authority] of [
    ["a bundle of a key", bundled, { key, signatureFormat: "bundle" }],
    ["a layer of a referrer", referring, { key }],
  ] as const) {
    const reference = `${formatRepository(image)}@${image.digest}`;
    const spec = { images: [{ glob: "**" }], authorities: [authority] };
    const policy = document("compared", spec);
    const { accepted } = await verifyImage({ image: reference, policy, trustedRoot: "{}" });
    found[name] = { here: accepted, there: (await askTester(policy, reference)).accepts };
  }
  const onlyHere = { here: true, there: false };
  expect(found).toEqual({ "a bundle of a key": onlyHere, "a layer of a referrer": onlyHere });
});

const keyRing = "gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k";
const keyOf = "arn:aws:kms:eu-west-1:111122223333";

compared.each([
  ["hashivault://releases", true],
  [keyRing, true],
  [`${keyRing}/cryptoKeyVersions/1`, true],
  [`${keyRing}/versions/1`, true],
  ["azurekms://vault.vault.azure.net/releases", true],
  [`awskms:///${keyOf}:alias/releases`, true],
  [`awskms:///${keyOf}:key/1234abcd-12ab-34cd-56ef-1234567890ab`, true],
  ["awskms:///alias/releases", false],
  ["awskms:///1234abcd-12ab-34cd-56ef-1234567890ab", false],
  ["openbao://releases", false],
])("the key %s of a service, which is read here, is admitted: %s", async (kms, isAdmitted) => {
  const spec = { images: [{ glob: "**" }], authorities: [{ key: { kms } }] };
  const policy = document("compared", spec);
  expect(policyProblems(policy)).toEqual([]);
  const { words } = await askTester(policy, `127.0.0.1:1/app@sha256:${"ab".repeat(32)}`);
  expect(words).toMatch(isAdmitted ? /^\{"errors":\[/ : /^CIP is invalid/);
});

const guide = readFileSync(join(root, "docs/guide/policies.md"), "utf8");
const examples = [...guide.matchAll(/^```yaml accepted\n([^]*?)^```$/gm)].map(
  ([, yaml = ""]) => yaml,
);

compared.each(examples)("a policy of the guide is admitted", async (policy) => {
  const image = `127.0.0.1:1/app@sha256:${"ab".repeat(32)}`;
  const { words } = await askTester(policy.replace(/glob: .*/, 'glob: "**"'), image);
  // There is no such image, so the signatures are refused. An invalid policy gets no such answer.
  expect(words).toMatch(/^\{"errors":\[/);
});

// Version 0.13.1 does not have this setting yet.
const knowsReferrers =
  tester !== undefined && spawnSync(tester, ["-help"]).stderr.includes("enable-oci11");
skippedWithout(
  knowsReferrers ? [] : ["-enable-oci11 of the tester"],
  "one setting is not compared",
);

(knowsReferrers ? test : test.skip)(
  "an attestation outside of a bundle is accepted only with enable-oci11, whoever signed it",
  async () => {
    const bench = await openBench();
    const [ours, theirs] = [newKey(), newKey()];
    const attestations = [{ name: "scan", predicateType: scanType }];
    const spec = { authorities: [{ name: "key", key: { data: ours.pem }, attestations }] };
    const policy = document("compared", { images: [{ glob: "**" }], ...spec });
    const found: Record<string, unknown> = {};
    for (const [name, key] of Object.entries({ ours, theirs })) {
      const image = await bench.pushImage(name);
      await attachEnvelope(bench, image, key, { type: scanType, predicate: { critical: 0 } });
      const reference = `${formatRepository(image)}@${image.digest}`;
      const enabled = await askTester(policy, reference, { more: ["-enable-oci11"] });
      found[name] = {
        there: (await askTester(policy, reference)).accepts,
        enabled: enabled.accepts,
        here: (await verifyImage({ image: reference, policy, trustedRoot: "{}" })).accepted,
      };
    }
    // Why the guide does not follow that setting.
    const unverified = { there: false, enabled: true, here: false };
    expect(found).toEqual({ ours: unverified, theirs: unverified });
  },
);

/** `localhost` is a registry here, and a name of Docker Hub there. A default port makes no difference here. */
const isReadOtherwise = (name: string): boolean => /^localhost\/|:443\//.test(name);

/** The patterns that the guide lists as those that mean more here. */
const meanMore = [
  "acme/*",
  "acme/app",
  "docker.io/acme/*",
  "docker.io/library/nginx*",
  "nginx",
  "nginx*",
  "nginx**",
  "nginx:*",
  "registry.example/app",
  "registry.example/app@sha256:*",
];

const resolved: Digest = `sha256:${"cd".repeat(32)}`;

/** True if a pattern applies here. A tag is resolved to a digest. */
function appliesHere(pattern: string, given: string): boolean {
  const glob = ImageGlob.parse(pattern);
  const reference = parseReference(given);
  if ("problem" in glob || "problem" in reference) throw new Error(`${pattern}, ${given}`);
  const { registry, path, digest } = reference;
  return glob.appliesTo({ repository: { registry, path }, digest: digest ?? resolved, given });
}

compared(
  "a pattern matches here what it matches in a cluster, and what the guide lists",
  async () => {
    const onlyHere = new Set<string>();
    const onlyThere: string[] = [];
    const pairs = globs.flatMap((glob) => names.map((image) => ({ glob, image })));
    await forEach(pairs, async ({ glob, image }) => {
      const spec = { images: [{ glob }], authorities: [{ static: { action: "pass" } }] };
      const { accepts: there } = await askTester(document("compared", spec), image);
      const here = appliesHere(glob, image);
      if (here === there || isReadOtherwise(glob) || isReadOtherwise(image)) return;
      if (here) onlyHere.add(glob);
      else onlyThere.push(`${glob} / ${image}`);
    });
    console.log(`${pairs.length} pairs of globs, ${onlyHere.size} patterns match more here`);
    expect(onlyThere).toEqual([]);
    expect([...onlyHere].sort()).toEqual(meanMore);
  },
  600_000,
);
