import { JsonFields } from "../../../core/json/json-fields";
import { parseJson } from "../../../core/json/parse-json";
import type { StoredContent } from "../local-signing";
import { Certificate } from "../../../core/signing/sigstore/certificate/certificate";
import { keyIdOf, readPublicKey } from "../../../core/signing/sigstore/certificate/public-key";
import { readBundledEntry } from "../../../core/signing/sigstore/format/bundle";
import { readLogBody } from "../../../core/signing/sigstore/format/log-body";
import { readLogAnswer, type LogEntry } from "../../../core/signing/sigstore/format/log-entry";
import type { TrustMaterial } from "../../../core/signing/sigstore/trust/trusted-root";
import { reportCertificate } from "../../../core/signing/tree/report-item";
import { reportLogEntry } from "../../../core/signing/tree/report-proofs";
import type { LoggedEntry, LogName, LogPage } from "./page-data";
import { certificateTexts, logText } from "../../../core/signing/tree/tree-text";

/** How many entries the page gets at once. */
const pageSize = 25;

/**
 * Reads entries of a log as a verifier gets them, and checks the proof of each against the trusted root.
 *
 * @param before the index below which entries are read. @default the size of the log
 */
export function readLogPage(
  { logs }: StoredContent,
  log: LogName,
  trust: TrustMaterial,
  before?: number,
): LogPage {
  const size = logs[log].size();
  const end = Math.min(before ?? size, size);
  const indexes = Array.from({ length: Math.min(pageSize, end) }, (_, at) => end - 1 - at);
  const read = log === "v1" ? readFirst : readSecond;
  const entries = indexes.map((index) =>
    describe(read(Buffer.from(JSON.stringify(logs[log].entry(index)))), trust),
  );
  return { log, size, entries };
}

const readFirst = (answer: Buffer): LogEntry => readLogAnswer(answer);

const readSecond = (answer: Buffer): LogEntry =>
  readBundledEntry(JsonFields.of(parseJson(answer), "the entry"));

function describe(entry: LogEntry, trust: TrustMaterial): LoggedEntry {
  const { content, verifierPem } = readLogBody(entry.body);
  const report = reportLogEntry(entry, trust);
  const signer = signerOf(verifierPem);
  const { certificate } = signer;
  return {
    ...report,
    ...signer,
    content: `${content.algorithm}:${content.value}`,
    facts: [logText(report), ...(certificate === undefined ? [] : certificateTexts(certificate))],
  };
}

function signerOf(pem: string): Pick<LoggedEntry, "certificate" | "key"> {
  const [certificate] = Certificate.fromPem(pem);
  return certificate === undefined
    ? { key: keyIdOf(readPublicKey(pem)).toString("hex") }
    : { certificate: reportCertificate(certificate) };
}
