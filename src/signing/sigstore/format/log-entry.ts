import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";

/** An entry of a transparency log, with what the log promises or proves about it. */
export interface LogEntry {
  /** The SHA-256 of the log's public key. */
  readonly logId: Buffer;
  /** The position over all shards of the log. */
  readonly logIndex: number;
  /** Seconds since 1970. */
  readonly integratedTime: number;
  /** What the log keeps: canonical JSON. */
  readonly body: Buffer;
  /** The log's signature over the four values above. */
  readonly signedEntryTimestamp?: Buffer | undefined;
  readonly inclusionProof?: InclusionProof | undefined;
}

/** That an entry is in the tree whose root the log has signed. */
export interface InclusionProof {
  /** The position within the shard. */
  readonly logIndex: number;
  readonly treeSize: number;
  readonly rootHash: Buffer;
  readonly hashes: readonly Buffer[];
  /** A signed note. */
  readonly checkpoint: string;
}

/** The kinds of entries that are written and understood. */
export type LogEntryKind = "hashedrekord/0.0.1" | "intoto/0.0.1" | "intoto/0.0.2" | "dsse/0.0.1";

/** What `signedEntryTimestamp` signs: canonical JSON, names sorted. */
export function signedEntry(entry: LogEntry): Buffer {
  const { body, integratedTime, logId, logIndex } = entry;
  const text = JSON.stringify({
    body: body.toString("base64"),
    integratedTime,
    logID: logId.toString("hex"),
    logIndex,
  });
  return Buffer.from(text, "utf8");
}

/**
 * The annotation by which a legacy signature carries its log entry.
 *
 * @throws Error when the log gave no signature, since then the annotation proves nothing.
 */
export function writeLogBundle(entry: LogEntry): string {
  const { body, integratedTime, logId, logIndex, signedEntryTimestamp } = entry;
  if (signedEntryTimestamp === undefined) {
    throw new Error("a log entry without a signed entry timestamp has no place in an annotation");
  }
  return JSON.stringify({
    SignedEntryTimestamp: signedEntryTimestamp.toString("base64"),
    Payload: {
      body: body.toString("base64"),
      integratedTime,
      logIndex,
      logID: logId.toString("hex"),
    },
  });
}

/** @throws JsonError */
export function readLogBundle(annotation: string): LogEntry {
  const bundle = JsonFields.of(parseJson(annotation), "log bundle", [
    "SignedEntryTimestamp",
    "Payload",
  ]);
  const payload = bundle.fields("Payload", ["body", "integratedTime", "logIndex", "logID"]);
  const logId = payload.text("logID");
  if (!/^[0-9a-f]{64}$/.test(logId)) throw payload.shape("logID", "64 hexadecimal digits");
  return {
    logId: Buffer.from(logId, "hex"),
    logIndex: payload.integer("logIndex"),
    integratedTime: payload.integer("integratedTime"),
    body: payload.base64("body"),
    signedEntryTimestamp: bundle.base64("SignedEntryTimestamp"),
  };
}
