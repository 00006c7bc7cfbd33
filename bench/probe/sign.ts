// Signs and verifies images with running services, and prints the CPU and wall time of each, in
// milliseconds: `sign legacy|bundle <facts of serve-signing>`.
import { randomBytes } from "node:crypto";
import { ImageVerifier } from "../../src/core/signing/verify";
import { signImage } from "../../src/core/signing/sign/sign-image";
import type { SignatureFormat } from "../../src/core/signing/provider/services";
import {
  type DigestReference,
  formatRepository,
} from "../../src/core/signing/oci/reference/image-name";
import { anHour, pushImage, signingClient } from "../signing-client";

const warmUp = 24;
const inSequence = 20;
const atOnce = 8;
const rounds = 3;

interface Facts {
  readonly registry: string;
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
  readonly issuer: string;
  readonly trustedRoot: string;
  readonly identityToken: string;
}

async function main(format: SignatureFormat, facts: Facts): Promise<void> {
  const client = await signingClient(facts);
  const images: DigestReference[] = [];
  for (let index = 0; index < warmUp + inSequence + atOnce * rounds; index++) {
    const repository = { registry: facts.registry, path: `bench/${format}` };
    images.push(await pushImage(client, repository, [randomBytes(32)]));
  }
  const { fulcioUrl, rekorUrl } = facts;
  const sign = async (image: DigestReference): Promise<void> => {
    const request = { image, conflict: "SKIPSAME" as const, format, fulcioUrl, rekorUrl };
    await signImage(request, client, anHour());
  };
  // As the provider and users of `@trivet/constructs/signing/verify` do.
  const verifier = new ImageVerifier({ trustedRoot: facts.trustedRoot });
  const policy = policyFor(facts, format);
  const check = async ({ digest, ...repository }: DigestReference): Promise<void> => {
    const image = `${formatRepository(repository)}@${digest}`;
    const { accepted, text } = await verifier.verify({ image, policy });
    if (!accepted) throw new Error(text);
  };
  await Promise.all(images.slice(0, warmUp).map(sign));
  const rest = images.slice(warmUp);
  const groups = Array.from({ length: rounds }, (_, round) =>
    rest.slice(inSequence + round * atOnce).slice(0, atOnce),
  );
  const measured = {
    sign: await measure(
      rest.slice(0, inSequence).map((image) => [image]),
      sign,
    ),
    signAtOnce: await measure(groups, sign),
    warm: await measure([images.slice(0, warmUp)], check),
    check: await measure(
      rest.slice(0, inSequence).map((image) => [image]),
      check,
    ),
    checkAtOnce: await measure(groups, check),
  };
  await verifier.close();
  await client.http.close();
  const flat = Object.entries(measured).flatMap(([name, { cpuMs, wallMs }]) => [
    [`${name}CpuMs`, cpuMs] as const,
    [`${name}WallMs`, wallMs] as const,
  ]);
  console.log(JSON.stringify(Object.fromEntries(flat)));
}

/**
 * Handles all images of a group at the same time, one group after another. Returns the time per
 * image.
 */
async function measure(
  groups: readonly (readonly DigestReference[])[],
  run: (image: DigestReference) => Promise<void>,
): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
  const count = groups.flat().length;
  const cpu = process.cpuUsage();
  const begun = performance.now();
  for (const group of groups) await Promise.all(group.map(run));
  const wallMs = (performance.now() - begun) / count;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000 / count, wallMs };
}

/** A policy that requires a signature of the local services. */
function policyFor({ fulcioUrl, issuer }: Facts, format: SignatureFormat): string {
  const keyless = { url: fulcioUrl, identities: [{ issuer, subject: "dev@example.com" }] };
  return JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name: "signed" },
    spec: {
      images: [{ glob: "**" }],
      authorities: [{ keyless, ...(format === "bundle" && { signatureFormat: "bundle" }) }],
    },
  });
}

const [, , format = "", facts = ""] = process.argv;
void main(format === "bundle" ? "bundle" : "legacy", JSON.parse(facts) as Facts);
