import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { readBundle } from "../../../src/core/signing/sigstore/format/bundle";
import { isDigest } from "../../../src/core/signing/oci/reference/descriptor";
import { loadTrust } from "../../../src/core/signing/sigstore/trust/load-trust";
import { readTrustedRoot } from "../../../src/core/signing/sigstore/trust/trusted-root";
import {
  isVerified,
  type VerificationRules,
} from "../../../src/core/signing/sigstore/verification/verification";
import { attest, predicateType, sign } from "../../core/signing/sign/operations";
import { attachedTo } from "../../core/signing/sign/attached";
import { inTime, openBench, type SigningBench } from "../../core/signing/sign/signing-bench";
import { temporaryFolder } from "./local-services";
import { programs, startOutsideServices } from "./outside-services";
import { skippedWithout } from "../../on-path";
import { verifyBundle } from "../../../src/core/signing/sigstore/verification/verify-attached";

const run = promisify(execFile);
const email = "dev@example.com";

/** Where the bundles are that the real programs once wrote; `TRIVET_RECORD=1` writes them again. */
const recorded = join(__dirname, "rekor-v2-bundles.json");
const isRecording = process.env["TRIVET_RECORD"] === "1";

type Place = "the local services" | "the real services";
type Maker = "ours" | "cosign";

interface Recorded {
  readonly provenance: string;
  readonly places: Readonly<Record<Place, RecordedPlace>>;
}

interface RecordedPlace {
  readonly issuer: string;
  readonly trustedRoot: unknown;
  readonly makers: Readonly<Record<Maker, RecordedImage>>;
}

interface RecordedImage {
  readonly image: string;
  readonly signature: unknown;
  readonly attestation: unknown;
}

const provenance =
  "Written by rekor-v2-outside.test.ts with TRIVET_RECORD=1: by cosign 3.1.2 and by this package, with " +
  "rekor-tiles 2.3.0 (posix), Fulcio 1.8.8 and timestamp-authority 2.1.3, or with the local services, all " +
  "on one machine. The keys were thrown away.";

const missing = Object.entries(programs)
  .filter(([, path]) => path === undefined)
  .map(([name]) => name);
skippedWithout(missing, "Rekor v2 is tried only with what was once written");

interface Services {
  readonly trustedRoot: string;
  readonly signingConfig: string;
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
  readonly timestampUrl: string;
}

const localServices = ({ local, urls }: SigningBench): Services => ({
  trustedRoot: local.files.trustedRoot,
  signingConfig: local.files.signingConfigRekorV2,
  ...urls,
  timestampUrl: local.addresses.timestampAuthority,
});

async function cosign(args: readonly string[]): Promise<void> {
  const env = { ...process.env, HOME: await temporaryFolder(), SIGSTORE_ID_TOKEN: "" };
  await run(programs.cosign ?? "", [...args], { env, timeout: 300_000 });
}

/** Signs and attests with cosign. */
async function cosignMakes(bench: SigningBench, services: Services, image: string): Promise<void> {
  const folder = await temporaryFolder();
  const token = join(folder, "token");
  await writeFile(token, bench.local.issueToken({ email }));
  const common = [
    "--signing-config",
    services.signingConfig,
    "--trusted-root",
    services.trustedRoot,
    "--identity-token",
    token,
    "--allow-http-registry",
    "--yes",
  ];
  await cosign(["sign", ...common, image]);
  const predicate = join(folder, "predicate.json");
  await writeFile(predicate, '{"passed":true}');
  const what = ["--predicate", predicate, "--type", predicateType];
  await cosign(["attest", ...common, ...what, image]);
}

async function cosignVerifies(
  bench: SigningBench,
  { trustedRoot }: Services,
  image: string,
  subject = email,
): Promise<void> {
  const common = [
    "--trusted-root",
    trustedRoot,
    "--certificate-identity",
    subject,
    "--certificate-oidc-issuer",
    bench.local.addresses.tokenIssuer,
    "--allow-http-registry",
    "--output",
    "json",
  ];
  await cosign(["verify", ...common, image]);
  await cosign(["verify-attestation", ...common, "--type", predicateType, image]);
}

async function weMake(bench: SigningBench, services: Services, text: string) {
  const image = await bench.pushImage(text);
  const { fulcioUrl, rekorUrl, timestampUrl } = services;
  const trust = await loadTrust({ ...services, environment: {}, signal: inTime().signal });
  const person = bench.person(email, {
    trust: () => Promise.resolve(trust),
    bundleServices: { logs: [{ url: rekorUrl, version: 2 }], timestampUrls: [timestampUrl] },
  });
  const changes = { format: "bundle", fulcioUrl, rekorUrl } as const;
  await sign(bench, person, image, changes);
  await attest(bench, person, image, changes);
  return image;
}

function rulesFor(trustedRoot: string, issuer: string): VerificationRules {
  const identity = { subject: { equals: email }, issuer: { equals: issuer } };
  return { trust: readTrustedRoot(trustedRoot), signer: { identities: [identity] } };
}

/** The bundles of an image that we accept, by their purpose. */
async function weVerify(
  bench: SigningBench,
  { trustedRoot }: Services,
  image: Awaited<ReturnType<typeof weMake>>,
) {
  const rules = rulesFor(await readFile(trustedRoot, "utf8"), bench.local.addresses.tokenIssuer);
  const found = await attachedTo(bench, image).bundleBytes();
  const accepted = (purpose: "signature" | "attestation") =>
    found.filter(({ bytes }) => isVerified(verifyBundle(bytes, image.digest, purpose, rules)));
  expect(found.map(({ bytes }) => readBundle(bytes).logEntries.map(({ kind }) => kind))).toEqual([
    ["hashedrekord/0.0.2"],
    ["hashedrekord/0.0.2"],
  ]);
  const [[signature], [attestation]] = [accepted("signature"), accepted("attestation")];
  if (!signature || !attestation) throw new Error("not both were accepted");
  const parsed = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;
  return { signature: parsed(signature.bytes), attestation: parsed(attestation.bytes) };
}

const { rekorTiles, fulcio, timestampServer, cosign: cosignPath } = programs;
const places: readonly Place[] = [
  ...(cosignPath === undefined ? [] : ["the local services" as const]),
  ...(missing.length > 0 ? [] : ["the real services" as const]),
];
const made: Partial<Record<Place, RecordedPlace>> = {};

afterAll(async () => {
  if (!isRecording || Object.keys(made).length < 2) return;
  await writeFile(recorded, `${JSON.stringify({ provenance, places: made }, null, 2)}\n`);
});

/** Both make bundles with the same services, and both verify those of both. */
async function tryBoth(bench: SigningBench, services: Services): Promise<RecordedPlace> {
  const makers: Record<string, RecordedImage> = {};
  for (const maker of ["ours", "cosign"] as const) {
    const image =
      maker === "ours" ? await weMake(bench, services, maker) : await bench.pushImage(maker);
    const reference = `${bench.local.registryHost}/lab/app@${image.digest}`;
    if (maker === "cosign") await cosignMakes(bench, services, reference);
    makers[maker] = { image: image.digest, ...(await weVerify(bench, services, image)) };
    await cosignVerifies(bench, services, reference);
    const asAnother = cosignVerifies(bench, services, reference, "other@example.com");
    await expect(asAnother).rejects.toThrow();
  }
  const { ours, cosign: theirs } = makers;
  if (!ours || !theirs) throw new Error("not both were made");
  return {
    issuer: bench.local.addresses.tokenIssuer,
    trustedRoot: JSON.parse(await readFile(services.trustedRoot, "utf8")) as unknown,
    makers: { ours, cosign: theirs },
  };
}

if (places.length > 0) {
  test.each(places)(
    "what we and cosign make with %s, both verify",
    async (place) => {
      const bench = await openBench();
      if (place === "the local services") {
        made[place] = await tryBoth(bench, localServices(bench));
        return;
      }
      if (!rekorTiles || !fulcio || !timestampServer) throw new Error("a program is missing");
      const found = { rekorTiles, fulcio, timestampServer };
      const outside = await startOutsideServices(found, bench.local);
      try {
        made[place] = await tryBoth(bench, outside);
      } finally {
        await outside.close();
      }
    },
    600_000,
  );
}

test.each<[Maker, Place]>([
  ["ours", "the local services"],
  ["cosign", "the local services"],
  ["ours", "the real services"],
  ["cosign", "the real services"],
])("what was recorded is still verified: %s with %s", async (maker, place) => {
  const known = JSON.parse(await readFile(recorded, "utf8")) as Recorded;
  expect(known.provenance).toBe(provenance);
  const { issuer, trustedRoot, makers } = known.places[place];
  const { image, ...bundles } = makers[maker];
  if (!isDigest(image)) throw new Error("not a digest");
  const rules = rulesFor(JSON.stringify(trustedRoot), issuer);
  for (const purpose of ["signature", "attestation"] as const) {
    const text = JSON.stringify(bundles[purpose]);
    const verify = (changed: string) => verifyBundle(Buffer.from(changed), image, purpose, rules);
    expect(verify(text)).toMatchObject({ signer: { subject: email, issuer } });
    const unstamped = text.replace(/"rfc3161Timestamps":\[[^\]]*\]/, '"rfc3161Timestamps":[]');
    expect(verify(unstamped)).toMatchObject({ code: "TIMESTAMP" });
    const renamed = text.replace(/"logIndex":"(\d+)"/, '"logIndex":"1$1"');
    expect(verify(renamed)).toMatchObject({ code: "TRANSPARENCY_LOG" });
  }
});
