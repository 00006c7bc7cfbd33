import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { Verifier, toSignedEntity, toTrustMaterial } from "@sigstore/verify";
import { writeBundle, type Bundle } from "../../../../../src/core/signing/sigstore/format/bundle";
import { readTrustedRoot } from "../../../../../src/core/signing/sigstore/trust/trusted-root";
import {
  isVerified,
  type VerificationRules,
} from "../../../../../src/core/signing/sigstore/verification/verification";
import {
  purposeExtension,
  keyUsageExtension,
} from "../../../../../src/local/signing/certificate/write-certificate";
import { SigningKey } from "../../../../../src/local/signing/keys/signing-key";
import { bundleParts, image, rulesOf } from "./artefacts";
import { Authorities, email, issuer, signedAt } from "./authorities";
import { verifyBundle } from "../../../../../src/core/signing/sigstore/verification/verify-attached";

const world = new Authorities();
const later = (minutes: number): Date => new Date(signedAt.getTime() + minutes * 60_000);

interface Sample {
  readonly bundle: Bundle;
  readonly root?: ReturnType<Authorities["trustedRoot"]>;
}

function theirs({ bundle, root = world.trustedRoot() }: Sample): boolean {
  try {
    const material = toTrustMaterial(TrustedRoot.fromJSON(root));
    const entity = toSignedEntity(bundleFromJSON(JSON.parse(writeBundle(bundle).toString("utf8"))));
    new Verifier(material, { timestampThreshold: bundle.timestamps.length }).verify(entity, {
      subjectAlternativeName: `^${email}$`,
      extensions: { issuer },
    });
    return true;
  } catch {
    return false;
  }
}

function ours({ bundle, root = world.trustedRoot() }: Sample): boolean {
  const rules: VerificationRules = rulesOf(world, { trust: readTrustedRoot(JSON.stringify(root)) });
  return isVerified(verifyBundle(writeBundle(bundle), image, "attestation", rules));
}

const make = (props: Parameters<typeof bundleParts>[2] = {}): Bundle =>
  bundleParts(world, "attestation", props);
const whole = make({ stampedAt: signedAt });
const [entry] = whole.logEntries;
const proof = entry?.inclusionProof;
if (!entry || !proof) throw new Error("no entry");
const withProof = (changed: Partial<typeof proof>): Sample => ({
  bundle: { ...whole, logEntries: [{ ...entry, inclusionProof: { ...proof, ...changed } }] },
});
const without = (kind: "tlogs" | "ctlogs" | "certificateAuthorities"): Sample => ({
  bundle: whole,
  root: { ...world.trustedRoot(), [kind]: [] },
});

describe("an outside verifier agrees", () => {
  test.each<[string, Sample]>([
    ["a bundle", { bundle: make() }],
    ["one with a timestamp", { bundle: whole }],
    [
      "one with a timestamp instead of the log's promise",
      {
        bundle: {
          ...whole,
          logEntries: [{ ...entry, signedEntryTimestamp: undefined, integratedTime: 0 }],
        },
      },
    ],
    ["another signer's names", { bundle: make({ signer: world.signer() }) }],
  ])("that %s is verified", (_, sample) => {
    expect([ours(sample), theirs(sample)]).toEqual([true, true]);
  });

  const usage = [keyUsageExtension("digitalSignature"), purposeExtension("codeSigning")];
  test.each<[string, Sample]>([
    ["another authority's", { bundle: bundleParts(new Authorities(), "attestation") }],
    ["one logged too late", { bundle: make({ time: later(60) }) }],
    ["one logged too early", { bundle: make({ time: later(-60) }) }],
    ["one stamped too late", { bundle: make({ stampedAt: later(60) }) }],
    ["one without an SCT", { bundle: make({ signer: world.signer({ withoutSct: true }) }) }],
    [
      "one with an SCT of another log",
      { bundle: make({ signer: world.signer({ sctKey: SigningKey.generate() }) }) },
    ],
    [
      "one by another signer",
      { bundle: make({ signer: world.signer({ issuerExtensions: [], usage }) }) },
    ],
    ["one without an entry", { bundle: make({ entry: () => undefined }) }],
    ["one with another's entry", { bundle: { ...whole, logEntries: make().logEntries } }],
    ["one with another's signature", { bundle: { ...make(), envelope: make().envelope } }],
    ["one with a wrong index", withProof({ logIndex: proof.logIndex - 1 })],
    ["one with a shortened proof", withProof({ hashes: proof.hashes.slice(1) })],
    [
      "one with another checkpoint",
      withProof({ checkpoint: world.checkpoint(9, Buffer.alloc(32)) }),
    ],
    [
      "one with a foreign checkpoint",
      withProof({
        checkpoint: world.checkpoint(proof.treeSize, proof.rootHash, SigningKey.generate()),
      }),
    ],
    ["any, when no log is trusted,", without("tlogs")],
    ["any, when no certificate log is trusted,", without("ctlogs")],
    ["any, when no authority is trusted,", without("certificateAuthorities")],
  ])("that %s is refused", (_, sample) => {
    expect([ours(sample), theirs(sample)]).toEqual([false, false]);
  });

  // It takes the root from the checkpoint, and leaves the certificate's purpose to the authority.
  test.each<[string, Sample]>([
    [
      "certificates for another purpose",
      { bundle: make({ signer: world.signer({ usage: usage.slice(0, 1) }) }) },
    ],
    ["roots that differ from the checkpoint's", withProof({ rootHash: Buffer.alloc(32) })],
  ])("or is less strict, about %s", (_, sample) => {
    expect([ours(sample), theirs(sample)]).toEqual([false, true]);
  });
});
