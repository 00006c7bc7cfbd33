import { JsonFields } from "../../../json/json-fields";
import { parseJson } from "../../../json/parse-json";

/** That an entry stands in a log whose tree has a root. */
export interface InclusionProof {
  readonly logIndex: number;
  readonly treeSize: number;
  readonly rootHash: Buffer;
  /** From the entry's sibling upwards. */
  readonly hashes: readonly Buffer[];
  /** The log's signed note of the tree's root. */
  readonly checkpoint: string;
}

/** An entry of a transparency log, as the log gives it; nothing of it is verified. */
export interface LogEntry {
  readonly uuid: string;
  /** The canonical form of the entry. */
  readonly body: Buffer;
  /** Seconds since 1970. */
  readonly integratedTime: number;
  readonly logIndex: number;
  /** SHA-256 of the log's public key. */
  readonly logId: Buffer;
  readonly signedEntryTimestamp: Buffer;
  readonly inclusionProof: InclusionProof;
}

/**
 * Reads the answer of a log that was asked for, or given, one entry.
 *
 * @throws JsonError
 */
export function readLogEntry(answer: Buffer): LogEntry {
  const entries = JsonFields.of(parseJson(answer), "the answer");
  const [uuid = "", ...more] = Object.keys(entries.object);
  if (uuid === "" || more.length > 0) throw entries.shape("*", "exactly one entry");
  const entry = entries.fields(uuid);
  const verification = entry.fields("verification");
  const proof = verification.fields("inclusionProof");
  return {
    uuid,
    body: entry.base64("body"),
    integratedTime: entry.integer("integratedTime"),
    logIndex: entry.integer("logIndex"),
    logId: hex(entry, "logID"),
    signedEntryTimestamp: verification.base64("signedEntryTimestamp"),
    inclusionProof: {
      logIndex: proof.integer("logIndex"),
      treeSize: proof.integer("treeSize"),
      rootHash: hex(proof, "rootHash"),
      hashes: proof.items("hashes").map((hash) => {
        if (typeof hash !== "string" || !isHash(hash)) throw proof.shape("hashes", "of SHA-256");
        return Buffer.from(hash, "hex");
      }),
      checkpoint: proof.text("checkpoint"),
    },
  };
}

function hex(fields: JsonFields, name: string): Buffer {
  const text = fields.text(name);
  if (!isHash(text)) throw fields.shape(name, "a SHA-256 in hexadecimal");
  return Buffer.from(text, "hex");
}

const isHash = (text: string): boolean => /^[\da-f]{64}$/i.test(text);
