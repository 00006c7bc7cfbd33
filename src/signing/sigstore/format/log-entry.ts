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
  /** From the entry's sibling upwards. */
  readonly hashes: readonly Buffer[];
  /** The log's signed note of the tree's root. */
  readonly checkpoint: string;
}

/** An entry as the log itself answers with it: all of its evidence is there, and its name in the log. */
export interface AnsweredLogEntry extends LogEntry {
  readonly uuid: string;
  readonly signedEntryTimestamp: Buffer;
  readonly inclusionProof: InclusionProof;
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

/**
 * Reads the answer of a log that was asked for, or given, one entry; nothing of it is verified.
 *
 * @throws JsonError
 */
export function readLogAnswer(answer: Buffer): AnsweredLogEntry {
  const entries = JsonFields.of(parseJson(answer), "the answer");
  const [uuid = "", ...more] = Object.keys(entries.object);
  if (uuid === "" || more.length > 0) throw entries.shape("*", "exactly one entry");
  const entry = entries.fields(uuid);
  const verification = entry.fields("verification");
  const proof = verification.fields("inclusionProof");
  return {
    uuid,
    logId: sha256(entry, "logID"),
    logIndex: entry.integer("logIndex"),
    integratedTime: entry.integer("integratedTime"),
    body: entry.base64("body"),
    signedEntryTimestamp: verification.base64("signedEntryTimestamp"),
    inclusionProof: {
      logIndex: proof.integer("logIndex"),
      treeSize: proof.integer("treeSize"),
      rootHash: sha256(proof, "rootHash"),
      hashes: proof.items("hashes").map((hash) => {
        if (typeof hash !== "string" || !isSha256(hash)) throw proof.shape("hashes", "of SHA-256");
        return Buffer.from(hash, "hex");
      }),
      checkpoint: proof.text("checkpoint"),
    },
  };
}

function sha256(fields: JsonFields, name: string): Buffer {
  const text = fields.text(name);
  if (!isSha256(text)) throw fields.shape(name, "a SHA-256 in hexadecimal");
  return Buffer.from(text, "hex");
}

// Rekor's interface allows both cases; what is written into annotations is lower case.
const isSha256 = (text: string): boolean => /^[\da-f]{64}$/i.test(text);
