import type { Digest } from "../oci/reference/digest";
import { writeBundle } from "../sigstore/format/bundle";
import { verifyBundle, type BundlePurpose } from "../sigstore/verification/verify-bundle";
import { makeEnvelope } from "./make-envelope";
import { expectVerified, rulesForUs } from "./prove-signature";
import type { SigningRun } from "./signing-run";

/** Signs a statement and returns the verified bundle. */
export async function makeBundle(
  run: SigningRun,
  image: Digest,
  statement: Buffer,
  purpose: BundlePurpose,
): Promise<Buffer> {
  const signer = await run.signer();
  const { envelope, logEntry, timestamp } = await makeEnvelope(run, signer, statement, {
    entryType: "dsse",
    stamped: "signature",
  });
  const bundle = writeBundle({
    envelope,
    signer: { certificate: signer.leaf.raw },
    logEntries: [logEntry],
    logEntryKinds: ["dsse/0.0.1"],
    timestamps: timestamp === undefined ? [] : [timestamp],
  });
  expectVerified(verifyBundle(bundle, image, purpose, await rulesForUs(run, signer)));
  return bundle;
}
