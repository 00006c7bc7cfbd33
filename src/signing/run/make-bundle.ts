import type { Digest } from "../oci/reference/digest";
import { writeBundle, type Bundle } from "../sigstore/format/bundle";
import { inTotoPayloadType, preAuthEncoding, writeEnvelope } from "../sigstore/payload/dsse";
import { ServiceError } from "../sigstore/service/service-error";
import { verifyBundle, type BundlePurpose } from "../sigstore/verification/verify-bundle";
import { makeEnvelope } from "./make-envelope";
import { proveBundle } from "./prove-bundle";
import { expectVerified, rulesForUs } from "./prove-signature";
import { bundleSigner, type RunSigner } from "./run-signer";
import type { SigningRun } from "./signing-run";
import type { BundleServices } from "./signing-services";

/** Signs a statement and returns the verified bundle. */
export async function makeBundle(
  run: SigningRun,
  image: Digest,
  statement: Buffer,
  purpose: BundlePurpose,
): Promise<Buffer> {
  const signer = await run.signer();
  const services = await run.services.bundleServices?.();
  const parts =
    services === undefined
      ? await partsOf(run, signer, statement)
      : await partsWith(services, run, signer, statement);
  const bundle = writeBundle({ ...parts, signer: bundleSigner(signer) });
  expectVerified(verifyBundle(bundle, image, purpose, await rulesForUs(run, signer)));
  return bundle;
}

type Parts = Omit<Bundle, "signer">;

async function partsOf(run: SigningRun, signer: RunSigner, statement: Buffer): Promise<Parts> {
  const { envelope, logEntry, timestamp } = await makeEnvelope(run, signer, statement, {
    entryType: "dsse",
    stamped: "signature",
  });
  return {
    envelope,
    logEntries: logEntry === undefined ? [] : [logEntry],
    logEntryKinds: logEntry === undefined ? [] : ["dsse/0.0.1"],
    timestamps: timestamp === undefined ? [] : [timestamp],
  };
}

// A log refuses an entry twice only if its first response was lost.
const signaturesMax = 3;

async function partsWith(
  services: BundleServices,
  run: SigningRun,
  signer: RunSigner,
  payload: Buffer,
): Promise<Parts> {
  const bytes = preAuthEncoding(inTotoPayloadType, payload);
  for (let made = 0; made < signaturesMax; made += 1) {
    const signature = await signer.sign(bytes, run.context);
    const envelope = { payloadType: inTotoPayloadType, payload, signature };
    const fresh = { bytes, payload, signature, text: writeEnvelope(envelope) };
    const proof = await proveBundle(run, signer, fresh, services);
    if (proof !== undefined) return { envelope, ...proof };
    run.say("the log has the entry already, so the statement is signed again", {});
  }
  throw new ServiceError(
    "TRANSPARENCY_LOG",
    "The transparency log (Rekor v2) says of every new signature that it has it already.",
  );
}
