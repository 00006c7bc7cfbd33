import type { Digest } from "../../oci/reference/digest";
import { readBundle, type Bundle } from "../format/bundle";
import { sha256Hex } from "../payload/digest-of";
import { preAuthEncoding } from "../payload/dsse";
import { readLogBody } from "../format/log-body";
import { signPredicateType } from "../payload/statement";
import { verifyContent } from "./signed-content";
import type { Verification, VerificationRules, VerifiedAttestation } from "./verification";
import { VerificationError, attempt, within } from "./verification-error";
import { checkStatement } from "./verify-layer";

/** What a bundle must be. An attestation never counts as a signature, nor a signature as an attestation. */
export type BundlePurpose = "signature" | "attestation";

/** Verifies a Sigstore bundle as a signature or an attestation of the image. */
export function verifyBundle(
  bytes: Uint8Array,
  image: Digest,
  purpose: BundlePurpose,
  rules: VerificationRules,
): Verification<VerifiedAttestation> {
  return attempt(() => {
    const bundle = readBundle(bytes);
    const { payloadType, payload, signature } = bundle.envelope;
    checkSigner(bundle, rules);
    const verified = verifyContent(
      {
        bytes: preAuthEncoding(payloadType, payload),
        payload,
        signature,
        certificate: "certificate" in bundle.signer ? bundle.signer.certificate : undefined,
        chain: [],
        logEntry: onlyEntry(bundle),
        logKinds: ["dsse/0.0.1", "intoto/0.0.2"],
        logProof: "required",
        timestamps: bundle.timestamps,
      },
      rules,
    );
    const statement = checkStatement(payloadType, payload, image);
    if ((statement.predicateType === signPredicateType) !== (purpose === "signature")) {
      const type = JSON.stringify(statement.predicateType);
      throw new VerificationError(
        "CLAIM",
        `the bundle is not ${purpose === "signature" ? "a signature" : "an attestation"}: its predicate type is ${type}`,
      );
    }
    return { ...verified, statement, statementSha256: sha256Hex(payload) };
  });
}

function checkSigner({ signer }: Bundle, rules: VerificationRules): void {
  if ("key" in rules.signer && "certificate" in signer) {
    throw new VerificationError("IDENTITY", "signed with a certificate, expected a bare key");
  }
}

function onlyEntry({
  logEntries,
  logEntryKinds,
}: Bundle): Bundle["logEntries"][number] | undefined {
  const [entry, ...others] = logEntries;
  if (others.length > 0) {
    throw new VerificationError("TRANSPARENCY_LOG", "the bundle has more than one log entry");
  }
  if (entry !== undefined) {
    const { kind } = within("TRANSPARENCY_LOG", () => readLogBody(entry.body));
    if (logEntryKinds[0] !== kind) {
      throw new VerificationError(
        "TRANSPARENCY_LOG",
        "the kind of the log entry differs from the one in the bundle",
      );
    }
  }
  return entry;
}
