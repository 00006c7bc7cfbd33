import {
  inTotoPayloadType,
  preAuthEncoding,
  writeEnvelope,
  type DsseEnvelope,
} from "../sigstore/payload/dsse";
import { proposeDsse, proposeIntoto } from "../sigstore/format/log-proposal";
import { proveSignature, type Proof } from "./prove-signature";
import type { RunSigner } from "./run-signer";
import type { SigningRun } from "./signing-run";

/** A signed statement with its evidence. */
export interface ProvenEnvelope extends Proof {
  readonly envelope: DsseEnvelope;
  /** The envelope as JSON, exactly as it is sent to the log. */
  readonly text: Buffer;
}

/** How an envelope is logged and timestamped. */
export interface EnvelopeProof {
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
    ...{ bytes, payload: statement, envelope: text, signature },
    stamped: stamped === "envelope" ? text : signature,
    proposal: propose(text, signer.verifierPem),
    logKind: `${entryType}/0.0.1`,
  });
  return { envelope, text, ...proof };
}
