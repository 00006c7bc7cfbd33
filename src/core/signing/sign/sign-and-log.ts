import type { BundledEntry } from "../sigstore/format/bundle";
import {
  type LogEntryKind,
  type LogProposal,
  proposeDsse,
  proposeHashedRekord,
  proposeIntoto,
  proposeRekorV2,
  rekorV2Kind,
} from "../sigstore/format/log-entry";
import type { SigningEvidence } from "../sigstore/format/manifest";
import { inTotoPayloadType, preAuthEncoding, writeEnvelope } from "../sigstore/format/statement";
import { serviceError } from "../sigstore/service/call-service";
import { requestTimestamp, writeEntry, writeRekorV2 } from "../sigstore/service/log-and-timestamp";
import { checkInclusion } from "../sigstore/verification/inclusion-proof";
import { namedLog } from "../sigstore/verification/log-entry-check";
import { checkTimestamp } from "../sigstore/verification/timestamp-check";
import {
  isVerified,
  type Verification,
  type VerificationRules,
  verificationError,
} from "../sigstore/verification/verification";
import {
  checkCertificate,
  checkLoggable,
  type RunSigner,
  type SignatureRun,
  unlessVerified,
} from "./signature-run";
import { signingError } from "./signing-error";
import type { Form } from "./signing-run";

export interface LogTarget {
  readonly url: string;
  readonly kind: LogEntryKind;
}

interface SigningOrder {
  readonly payload: Buffer;
  /** A signature layer contains the payload itself. The other forms contain it in a DSSE envelope. */
  readonly form: Form;
  /** The logs to write to, unless our key's signatures are not logged. */
  readonly logs: readonly LogTarget[];
  readonly timestampUrls: readonly string[];
}

/** A new signature with its evidence. It is not verified yet: see {@link expectVerified}. */
interface NewSignature {
  readonly signer: RunSigner;
  readonly signature: Buffer;
  /** The bytes that the log received: the payload, or the envelope as JSON. */
  readonly content: Buffer;
  /** In the order of the logs; empty if our key's signatures are not logged. */
  readonly logEntries: readonly BundledEntry[];
  readonly timestamps: readonly Buffer[];
}

// A log refuses an entry twice only if its first response was lost.
const signaturesMax = 3;

/**
 * Signs a payload, requests timestamps for the signature, and logs it.
 *
 * The log comes last, because its entries cannot be removed. Before that, the key, the timestamps and the certificate
 * are checked. Everything else is verified once, in the finished layer or bundle.
 *
 * @throws SigningError `UNVERIFIED`, ServiceError, KeyError
 */
export async function signAndLog(run: SignatureRun, order: SigningOrder): Promise<NewSignature> {
  const { context } = run;
  const { http } = run.services;
  const { payload, form, timestampUrls } = order;
  const signer = await run.signer();
  const logs = run.isLogged ? order.logs : [];
  const kinds = run.isLogged ? [...run.logKinds, ...logs.map(({ kind }) => kind)] : [];
  for (const kind of kinds) checkLoggable(signer, kind);
  const isPlain = form === "signature-layer";
  const bytes = isPlain ? payload : preAuthEncoding(inTotoPayloadType, payload);
  for (let made = 0; made < signaturesMax; made += 1) {
    const signature = await signer.sign(bytes, context);
    const envelope = { payloadType: inTotoPayloadType, payload, signature };
    const content = isPlain ? payload : writeEnvelope(envelope);
    // cosign verifies the timestamp of an attestation layer with the whole layer.
    const stamped = form === "attestation-layer" ? content : signature;
    const timestamps: Buffer[] = [];
    for (const url of timestampUrls) {
      timestamps.push(await requestTimestamp({ http, context, url, content: stamped }));
    }
    const needsTime = timestamps.length > 0 || logs.some(({ kind }) => kind === rekorV2Kind);
    if (logs.length > 0 && needsTime) {
      await checkBeforeLogging(run, signer, form, stamped, timestamps);
    }
    const logEntries = await logIn(logs, run, signer, { bytes, content, signature });
    if (logEntries !== undefined) return { signer, signature, content, logEntries, timestamps };
    run.say("the log has the entry already, so the statement is signed again", {});
  }
  throw serviceError(
    "TRANSPARENCY_LOG",
    "The transparency log (Rekor v2) claims to have every new signature already.",
  );
}

/**
 * Verifies a finished layer or bundle before it is written, with all its evidence: the services' responses are not
 * trusted.
 *
 * @throws SigningError `UNVERIFIED`
 */
export async function expectVerified(
  run: SignatureRun,
  { signer, timestamps }: NewSignature,
  verify: (rules: VerificationRules) => Verification,
): Promise<void> {
  const isStamped = timestamps.length > 0;
  const logged = isStamped ? "log-and-timestamp" : "log";
  const unlogged = isStamped ? "timestamp" : "none";
  const time = run.isLogged ? logged : unlogged;
  const result = verify({ trust: await run.trust(), signer: signer.expected, time });
  if (!isVerified(result)) {
    throw signingError("UNVERIFIED", `${newSignature}: ${result.problem}`);
  }
}

const newSignature =
  "the new signature does not verify with what the signing services returned, so nothing was written";

/**
 * The evidence in the annotations of a layer. The log's inclusion proof is verified here, because a layer does not
 * contain it.
 *
 * @throws SigningError `UNVERIFIED`
 */
export async function layerEvidence(
  run: SignatureRun,
  { signer, logEntries: [logEntry], timestamps: [timestamp] }: NewSignature,
): Promise<SigningEvidence> {
  const { transparencyLogs } = await run.trust();
  // An entry of any other log is refused with the layer.
  const log = transparencyLogs.find(({ id }) => logEntry?.logId.equals(id));
  const proof = logEntry?.inclusionProof;
  if (logEntry && log && proof) {
    unlessVerified(newSignature, () => {
      checkInclusion(logEntry.body, proof, log);
    });
  }
  const { verifier, verifierPem, chainPem } = signer;
  return {
    certificatePem: "certificate" in verifier ? verifierPem : undefined,
    chainPem: chainPem.length === 0 ? undefined : chainPem.join(""),
    logEntry,
    timestamp,
  };
}

/**
 * Checks the timestamps, and our certificate at their times: an entry with a timestamp or a certificate that is not
 * accepted would stay in the log.
 *
 * @param stamped the bytes that the timestamps are for
 */
async function checkBeforeLogging(
  run: SignatureRun,
  { verifier, chainPem }: RunSigner,
  form: Form,
  stamped: Buffer,
  timestamps: readonly Buffer[],
): Promise<void> {
  const trust = await run.trust();
  const { certificateLog } = run.services;
  unlessVerified(
    "the timestamp does not verify, so nothing was written, not even to the log",
    () => {
      const results = timestamps.map((each) =>
        checkTimestamp(each, [stamped], trust.timestampAuthorities),
      );
      const times = results.flatMap((result) => ("time" in result ? [result.time] : []));
      const unlisted = results.find((result) => "unlisted" in result);
      if (times.length === 0) {
        throw verificationError("TIMESTAMP", unlisted?.unlisted ?? "Rekor v2 needs one");
      }
      if (!("certificate" in verifier)) return;
      const presented = form === "bundle" ? [] : chainPem;
      checkCertificate(verifier.certificate, presented, { trust, certificateLog, times });
    },
  );
}

interface Loggable {
  readonly bytes: Buffer;
  readonly content: Buffer;
  readonly signature: Buffer;
}

/** Writes a signature to each log; undefined if a log already has this entry but cannot return it. */
async function logIn(
  logs: readonly LogTarget[],
  run: SignatureRun,
  { publicKey: key, verifier, verifierPem }: RunSigner,
  signed: Loggable,
): Promise<readonly BundledEntry[] | undefined> {
  const { bytes, signature } = signed;
  const { context, services } = run;
  const { transparencyLogs } = await run.trust();
  const entries: BundledEntry[] = [];
  for (const { url, kind } of logs) {
    const log = { http: services.http, context, url };
    const entry =
      kind === rekorV2Kind
        ? await writeRekorV2({ ...log, entry: proposeRekorV2({ bytes, signature, verifier, key }) })
        : await writeEntry({ ...log, entry: proposal(kind, signed, verifierPem) });
    if (entry === undefined) return undefined;
    run.say("logged a signature", { logIndex: entry.logIndex, kind });
    // A bundle with an entry in a trusted log verifies, whatever other entries it has.
    if (logs.length > 1 && namedLog(entry, transparencyLogs) === undefined) {
      throw signingError("UNVERIFIED", `${newSignature}: the transparency log is not trusted`);
    }
    entries.push({ ...entry, kind });
  }
  return entries;
}

function proposal(
  kind: LogEntryKind,
  { content, signature }: Loggable,
  verifierPem: string,
): LogProposal {
  if (kind === "hashedrekord/0.0.1") return proposeHashedRekord(content, signature, verifierPem);
  return (kind === "dsse/0.0.1" ? proposeDsse : proposeIntoto)(content, verifierPem);
}
