import { type Digest, sha256Hex } from "../../oci/reference/digest";
import { readBundle, type Bundle } from "../format/bundle";
import { readLogBody } from "../format/log-body";
import type { LogEntry } from "../format/log-entry";
import { verifyContent } from "./signed-content";
import {
  type Verification,
  type VerificationRules,
  type VerifiedAttestation,
  demand,
  attempt,
  within,
} from "./verification";
import { checkStatement, type EnvelopeContent } from "./verify-layer";
import { preAuthEncoding, signPredicateType } from "../format/statement";

/** The use of a bundle. An attestation never counts as a signature, nor a signature as an attestation. */
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
    demand(
      !("key" in rules.signer && "certificate" in bundle.signer),
      "IDENTITY",
      "signed with a certificate, expected a bare key",
    );
    const content = contentOf(bundle);
    const { payloadType, payload, signature } = content;
    const verified = verifyContent(content, rules);
    const statement = checkStatement(payloadType, payload, image);
    const { predicateType: type } = statement;
    demand(
      (type === signPredicateType) === (purpose === "signature"),
      "CLAIM",
      `the bundle is not ${purpose === "signature" ? "a signature" : "an attestation"}: its predicate type is ${JSON.stringify(type)}`,
    );
    return {
      ...verified,
      signature,
      statement,
      statementSha256: sha256Hex(payload),
      contentSha256: sha256Hex(bytes),
    };
  });
}

/** Reads a Sigstore bundle. Verifies nothing. @throws VerificationError, JsonError */
export const bundleContent = (bytes: Uint8Array): EnvelopeContent => contentOf(readBundle(bytes));

function contentOf(bundle: Bundle): EnvelopeContent {
  const { payloadType, payload, signature } = bundle.envelope;
  return {
    bytes: preAuthEncoding(payloadType, payload),
    payloadType,
    payload,
    signature,
    certificate: "certificate" in bundle.signer ? bundle.signer.certificate : undefined,
    chain: [],
    ...entriesOf(bundle),
    logKinds: ["dsse/0.0.1", "intoto/0.0.2", "hashedrekord/0.0.2"],
    logProof: "required",
    timestamps: bundle.timestamps,
  };
}

/** The log entries: each in another log, and of the kind that the bundle states. */
function entriesOf({ logEntries }: Bundle): {
  readonly logEntry: LogEntry | undefined;
  readonly otherLogEntries: readonly LogEntry[];
} {
  const [logEntry, ...otherLogEntries] = logEntries;
  const logs = new Set(logEntries.map(({ logId }) => logId.toString("hex")));
  demand(
    logs.size === logEntries.length,
    "TRANSPARENCY_LOG",
    "the bundle has more than one entry of the same transparency log",
  );
  for (const { kind, body } of logEntries) {
    const logged = within("TRANSPARENCY_LOG", () => readLogBody(body));
    demand(
      logged.kind === kind,
      "TRANSPARENCY_LOG",
      "the kind of the log entry differs from the one in the bundle",
    );
  }
  return { logEntry, otherLogEntries };
}
