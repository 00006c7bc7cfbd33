import crypto from "node:crypto";
import {
  annotation,
  emptyConfig,
  signingTypes,
  writeBundleManifest,
  layerDescriptor,
  type LegacyLayer,
} from "../../../../src/core/signing/sigstore/format/manifest";
import { sign } from "../../../../src/core/signing/sign/declare";
import { signImage } from "../../../../src/core/signing/sign/sign-image";
import { readTrustedRoot } from "../../../../src/core/signing/sigstore/trust/trusted-root";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import {
  policyEvidence,
  type Candidate,
} from "../../../../src/core/signing/policy/policy-evidence";
import { evaluatePolicies } from "../../../../src/core/signing/policy/evaluate-policies";
import { details, summaries } from "../../provider-kit/server/protocol";
import { policiesOf } from "../policy/policy-texts";
import { apply, connect, verifyImage } from "../provider/signing";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";
import { Authorities, email, issuer } from "../sigstore/verification/authorities";
import { hostileEvidence, type HostileEvidence } from "../sigstore/verification/hostile-evidence";
import { signPredicateType } from "../../../../src/core/signing/sigstore/format/statement";

const world = new Authorities();
const many = 60;
// Somewhat less than a registry takes.
const maxManifestBytes = 3_500_000;

/** Trusts the local services, and the world that the hostile evidence refers to. */
async function rootOf(bench: SigningBench): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const local = JSON.parse(await readFile(bench.local.files.trustedRoot, "utf8")) as ReturnType<
    Authorities["trustedRoot"]
  >;
  const ours = world.trustedRoot();
  return JSON.stringify({
    ...local,
    tlogs: [...local.tlogs, ...ours.tlogs],
    ctlogs: [...local.ctlogs, ...ours.ctlogs],
    certificateAuthorities: [...local.certificateAuthorities, ...ours.certificateAuthorities],
    timestampAuthorities: [...local.timestampAuthorities, ...ours.timestampAuthorities],
  });
}

const policyOf = (format: "legacy" | "bundle"): string =>
  JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name: "releases" },
    spec: {
      images: [{ glob: "**" }],
      authorities: [
        {
          keyless: { url: "https://ca.example.com", identities: [{ issuer, subject: email }] },
          signatureFormat: format,
        },
      ],
    },
  });

/** Attaches the same evidence to an image many times, each time a little different. */
async function attach(
  { registry, repository }: SigningBench,
  image: DigestReference,
  evidence: ReturnType<HostileEvidence["make"]>,
): Promise<void> {
  const context = inTime();
  if ("layer" in evidence) {
    await registry.uploads.put(repository, evidence.layer.blob, context);
    await pushLayers(
      { registry, repository },
      image,
      Array.from({ length: fitting(evidence.layer) }, () => evidence.layer),
    );
    return;
  }
  await registry.uploads.put(repository, evidence.bundle, context);
  await registry.uploads.put(repository, emptyConfig, context);
  const { mediaType, bytes: imageBytes } =
    (await registry.manifests.get(repository, image.digest, context)) ?? {};
  if (mediaType === undefined || imageBytes === undefined) throw new Error("no image");
  const subject = { mediaType, digest: image.digest, size: imageBytes.byteLength };
  for (let index = 0; index < 3; index += 1) {
    const bytes = writeBundleManifest({
      subject,
      bundle: evidence.bundle,
      predicateType: signPredicateType,
      created: new Date(index * 1000),
    });
    const referrer = {
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      bytes,
      artifactType: signingTypes.bundle,
      annotations: { [annotation.bundlePredicateType]: signPredicateType },
    };
    await registry.referrers.add(repository, image.digest, referrer, context);
  }
}

const fitting = ({ annotations }: LegacyLayer): number =>
  Math.min(many, Math.floor(maxManifestBytes / JSON.stringify(annotations).length));

async function pushLayers(
  { registry, repository }: Pick<SigningBench, "registry" | "repository">,
  image: DigestReference,
  layers: readonly LegacyLayer[],
): Promise<void> {
  const config = await registry.uploads.put(repository, Buffer.from("{}"), inTime());
  const descriptors = layers.map((layer, index) => {
    const { annotations, ...rest } = layerDescriptor(layer);
    return { ...rest, annotations: { ...annotations, index: String(index) } };
  });
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const json = {
    schemaVersion: 2,
    mediaType,
    layers: descriptors,
    config: { ...config, mediaType: "application/vnd.oci.image.config.v1+json" },
  };
  await registry.manifests.put(
    repository,
    { mediaType, bytes: Buffer.from(JSON.stringify(json)) },
    inTime(),
    { tag: tagOfDigest(image.digest, ".sig") },
  );
}

describe("with a timeout of 2 s, an image ends verification and signing in time if it has", () => {
  // A machine of any speed does this work in a minute; without limits it takes many times that.
  const maxSignatureChecks = many * 120;

  test.each(hostileEvidence(world))("$name", async ({ make, problem }) => {
    const bench = await openBench();
    const image = await bench.pushImage("attacked");
    const name = formatRepository(bench.repository);
    const evidence = make(image.digest, name);
    await attach(bench, image, evidence);
    const trustedRoot = await rootOf(bench);
    const provider = await connect(bench.local, { trustedRoot, timeout: "2s" });
    const format = "layer" in evidence ? "legacy" : "bundle";
    const checks = jest.spyOn(crypto, "verify");

    const verified = await verifyImage(provider, `${name}@${image.digest}`, policyOf(format));
    const [outcome = ""] = verified.summaries;
    expect(outcome).toMatch(/Image Refused By Policy|Operation Timed Out/);
    if (outcome.includes("Refused")) expect(details(verified.diagnostics)).toMatch(problem);

    const config = { image: `${name}@${image.digest}`, signatureFormat: format };
    const signed = await apply(provider, sign, config);
    expect(summaries(signed.diagnostics).filter((each) => !each.includes("Timed Out"))).toEqual([]);
    expect(checks.mock.calls.length).toBeLessThan(2 * maxSignatureChecks);
    jest.restoreAllMocks();
  });
});

describe("an interrupt or the deadline ends, between two of many signatures,", () => {
  async function attacked() {
    const bench = await openBench();
    const image = await bench.pushImage("attacked");
    const [hostile] = hostileEvidence(world);
    const evidence = hostile?.make(image.digest, formatRepository(bench.repository));
    if (evidence === undefined || !("layer" in evidence)) throw new Error("no layer");
    await attach(bench, image, evidence);
    return { bench, image, trust: readTrustedRoot(await rootOf(bench)) };
  }

  test.each(["CANCELLED", "DEADLINE"] as const)("a verification: %s", async (code) => {
    const { bench, image, trust } = await attacked();
    const { registry, repository } = bench;
    const controller = new AbortController();
    let deadline = inTime().deadline;
    const context = {
      signal: controller.signal,
      get deadline() {
        return deadline;
      },
    };
    const settings = { registry, repository, digest: image.digest, context };
    const evidence = policyEvidence({ ...settings, trust: () => Promise.resolve(trust) });
    let read = 0;
    const interrupted = (candidate: Candidate): Candidate => ({
      ...candidate,
      read: () => {
        read += 1;
        // As if it came from outside, while this signature is verified.
        if (read === 3) {
          setImmediate(() => {
            if (code === "CANCELLED") controller.abort();
            else deadline = Date.now() - 1;
          });
        }
        return candidate.read();
      },
    });
    const verdict = evaluatePolicies({
      policies: policiesOf(policyOf("legacy")),
      image: { repository, digest: image.digest, given: "x" },
      ...evidence,
      signatures: async (place) => (await evidence.signatures(place)).map(interrupted),
    });
    await expect(verdict).rejects.toMatchObject({ code });
    expect(read).toBeLessThan(6);
  });

  test.each(["CANCELLED", "DEADLINE"] as const)("signing: %s", async (code) => {
    const { bench, image, trust } = await attacked();
    const controller = new AbortController();
    let late = 0;
    const { services } = bench.person("dev@example.com", {
      trust: () => {
        // The last thing before the layers are verified.
        setImmediate(() => {
          if (code === "CANCELLED") controller.abort();
          else late = 7_200_000;
        });
        return Promise.resolve(trust);
      },
      now: () => new Date(Date.now() + late),
    });
    const request = { image, conflict: "SKIPSAME", format: "legacy", ...bench.urls } as const;
    const context = { signal: controller.signal, deadline: inTime().deadline };
    const before = await bench.logSize();
    await expect(signImage(request, services, context)).rejects.toMatchObject({ code });
    expect(await bench.logSize()).toBe(before);
  });
});
