import type { Digest } from "../oci/reference/digest";
import { writeBundle, type Bundle } from "../sigstore/format/bundle";
import {
  type DsseEnvelope,
  inTotoPayloadType,
  preAuthEncoding,
  writeEnvelope,
} from "../sigstore/payload/dsse";
import { ServiceError } from "../sigstore/service/call-service";
import { verifyBundle, type BundlePurpose } from "../sigstore/verification/verify-bundle";
import { expectVerified, type Proof, proveBundle, proveSignature, rulesForUs } from "./prove";
import { bundleSigner, type RunSigner } from "./run-signer";
import type { BundleServices } from "../provider/signing-services";
import type { SigningRun } from "./signing-run";
import { proposeDsse, proposeIntoto } from "../sigstore/format/log-proposal";

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
    logEntries: logEntry === undefined ? [] : [{ ...logEntry, kind: "dsse/0.0.1" }],
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

/** A signed statement with its evidence. */
interface ProvenEnvelope extends Proof {
  readonly envelope: DsseEnvelope;
  /** The envelope as JSON, exactly as it is sent to the log. */
  readonly text: Buffer;
}

/** How an envelope is logged and timestamped. */
interface EnvelopeProof {
  readonly entryType: "intoto" | "dsse";
  /**
   * What a timestamp is for: in a bundle the signature in the envelope, in a layer the whole envelope, because
   * cosign verifies the timestamp of a layer with the layer's bytes.
   */
  readonly stamped: "signature" | "envelope";
}

/** Signs a statement as a DSSE envelope and logs it. */
export async function makeEnvelope(
  run: SigningRun,
  signer: RunSigner,
  statement: Buffer,
  { entryType, stamped }: EnvelopeProof,
): Promise<ProvenEnvelope> {
  const bytes = preAuthEncoding(inTotoPayloadType, statement);
  const signature = await signer.sign(bytes, run.context);
  const envelope = { payloadType: inTotoPayloadType, payload: statement, signature };
  const text = writeEnvelope(envelope);
  const propose = entryType === "intoto" ? proposeIntoto : proposeDsse;
  const proof = await proveSignature(run, signer, {
    bytes,
    payload: statement,
    envelope: text,
    signature,
    stamped: stamped === "envelope" ? text : signature,
    proposal: propose(text, signer.verifierPem),
    logKind: `${entryType}/0.0.1`,
  });
  return { envelope, text, ...proof };
}
