import { JsonFields, parseJson } from "../../../json/parse-json";
import { createHash, type KeyObject } from "node:crypto";
import { sha256Hex } from "../../oci/reference/descriptor";

/** An entry of a transparency log, with the log's evidence. */
export interface LogEntry {
  /** Version 1 of the log: the SHA-256 of its public key. Version 2: its note key ID (see `../verification`). */
  readonly logId: Buffer;
  /** The index across all shards of the log. */
  readonly logIndex: number;
  /** Seconds since 1970; 0 for entries of version 2 of the log, which have no time. */
  readonly integratedTime: number;
  /** The stored entry: canonical JSON. */
  readonly body: Buffer;
  /** The log's signature over the four values above. */
  readonly signedEntryTimestamp?: Buffer | undefined;
  readonly inclusionProof?: InclusionProof | undefined;
}

/**
 * A proof that the tree with a signed root contains an entry.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3
 */
export interface InclusionProof {
  /** The index within the shard. */
  readonly logIndex: number;
  readonly treeSize: number;
  readonly rootHash: Buffer;
  /** From the entry's sibling upwards. */
  readonly hashes: readonly Buffer[];
  /** The tree's root as a note signed by the log. */
  readonly checkpoint: string;
}

/** An entry in a response of the log, with all evidence and its UUID. */
export interface AnsweredLogEntry extends LogEntry {
  readonly uuid: string;
  readonly signedEntryTimestamp: Buffer;
  readonly inclusionProof: InclusionProof;
}

export type LogEntryKind =
  | "hashedrekord/0.0.1"
  | "hashedrekord/0.0.2"
  | "intoto/0.0.1"
  | "intoto/0.0.2"
  | "dsse/0.0.1";

/** The kind of all entries of version 2 of the log (Rekor v2). */
export const rekorV2Kind = "hashedrekord/0.0.2" satisfies LogEntryKind;

/** The bytes that `signedEntryTimestamp` signs: canonical JSON. */
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
 * The annotation with the log entry of a legacy signature.
 *
 * @throws Error if the entry has no signed entry timestamp, because the annotation would prove nothing
 */
export function writeLogBundle(entry: LogEntry): string {
  const { body, integratedTime, logId, logIndex, signedEntryTimestamp } = entry;
  if (signedEntryTimestamp === undefined) {
    throw new Error(
      "a log entry without a signed entry timestamp cannot be written to an annotation",
    );
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

/** Parses the annotation with the log entry of a legacy signature. @throws JsonError */
export function readLogBundle(annotation: string): LogEntry {
  const bundle = JsonFields.of(parseJson(annotation), "log bundle", [
    "SignedEntryTimestamp",
    "Payload",
  ]);
  const payload = bundle.fields("Payload", ["body", "integratedTime", "logIndex", "logID"]);
  const logId = payload.string("logID");
  if (!/^[0-9a-f]{64}$/.test(logId)) throw payload.shape("logID", "64 hexadecimal digits");
  return {
    logId: Buffer.from(logId, "hex"),
    logIndex: payload.integer("logIndex"),
    integratedTime: payload.integer("integratedTime"),
    body: payload.base64("body"),
    signedEntryTimestamp: bundle.base64("SignedEntryTimestamp"),
  };
}

/** Parses the log's response to a request that reads or writes one entry. Verifies nothing. @throws JsonError */
export function readLogAnswer(answer: Buffer): AnsweredLogEntry {
  const entries = JsonFields.of(parseJson(answer), "the response");
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
        if (typeof hash !== "string" || !isSha256(hash))
          throw proof.shape("hashes", "a list of SHA-256 hashes");
        return Buffer.from(hash, "hex");
      }),
      checkpoint: proof.string("checkpoint"),
    },
  };
}

function sha256(fields: JsonFields, name: string): Buffer {
  const text = fields.string(name);
  if (!isSha256(text)) throw fields.shape(name, "a SHA-256 in hexadecimal");
  return Buffer.from(text, "hex");
}

// Rekor's API allows uppercase and lowercase digits; annotations contain lowercase ones.
const isSha256 = (text: string): boolean => /^[\da-f]{64}$/i.test(text);

/**
 * An entry that is proposed to version 1 of the transparency log.
 *
 * @see https://github.com/sigstore/rekor/blob/main/openapi.yaml
 */
export interface LogProposal {
  readonly kind: "hashedrekord" | "intoto" | "dsse";
  readonly apiVersion: "0.0.1";
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Proposes an entry for a signature. The log receives only the hash of the payload. */
export function proposeHashedRekord(
  payload: Uint8Array,
  signature: Uint8Array,
  publicKeyPem: string,
): LogProposal {
  return proposal("hashedrekord", {
    data: { hash: { algorithm: "sha256", value: sha256Hex(payload) } },
    signature: { content: base64(signature), publicKey: { content: base64(publicKeyPem) } },
  });
}

/** Proposes an `intoto` entry for an attestation, from the exact bytes of the layer. */
export function proposeIntoto(envelope: Buffer, publicKeyPem: string): LogProposal {
  return proposal("intoto", {
    content: { envelope: envelope.toString("utf8") },
    publicKey: base64(publicKeyPem),
  });
}

/** Proposes a `dsse` entry for an attestation, from the exact bytes of the layer. */
export function proposeDsse(envelope: Buffer, publicKeyPem: string): LogProposal {
  return proposal("dsse", {
    proposedContent: { envelope: envelope.toString("utf8"), verifiers: [base64(publicKeyPem)] },
  });
}

function proposal(kind: LogProposal["kind"], spec: LogProposal["spec"]): LogProposal {
  return { kind, apiVersion: "0.0.1", spec };
}

/** A signature to log in Rekor v2, with the certificate or key that verifies it. */
export interface RekorV2Proposal {
  /** The signed bytes: of a DSSE envelope, its pre-authentication encoding. The log receives only their hash. */
  readonly bytes: Uint8Array;
  /** The signature over the bytes with SHA-256. */
  readonly signature: Uint8Array;
  /** In DER. */
  readonly verifier: { readonly certificate: Uint8Array } | { readonly publicKey: Uint8Array };
  /** The signer's public key, without a {@link rekorV2KeyProblem}. */
  readonly key: KeyObject;
}

/**
 * The request that logs a signature in Rekor v2, which has only one kind of entry for all signatures.
 *
 * @see https://github.com/sigstore/rekor-tiles/blob/main/CLIENTS.md
 */
export function proposeRekorV2({ bytes, signature, verifier, key }: RekorV2Proposal): object {
  return {
    hashedRekordRequestV002: {
      digest: createHash("sha256").update(bytes).digest("base64"),
      signature: {
        content: base64(signature),
        verifier: {
          ...("certificate" in verifier
            ? { x509Certificate: { rawBytes: base64(verifier.certificate) } }
            : { publicKey: { rawBytes: base64(verifier.publicKey) } }),
          keyDetails: keyDetailsOf(key),
        },
      },
    },
  };
}

/**
 * Explains why a key cannot be used with Rekor v2; undefined if it can.
 *
 * A signature by RSA is always the same. The log accepts it once, and then neither adds nor returns an entry.
 *
 * @see https://github.com/sigstore/rekor-tiles/issues/620
 */
export function rekorV2KeyProblem(key: KeyObject): string | undefined {
  if (keyDetailsOf(key) !== undefined) return undefined;
  const problem = "Rekor v2 accepts only keys for ECDSA P-256";
  if (key.asymmetricKeyType !== "rsa") return problem;
  return `${problem} from here, because an RSA key always makes the same signature, and the log accepts that only once`;
}

/** @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_common.proto */
function keyDetailsOf({ asymmetricKeyDetails }: KeyObject): string | undefined {
  const isAccepted = asymmetricKeyDetails?.namedCurve === "prime256v1";
  return isAccepted ? "PKIX_ECDSA_P256_SHA_256" : undefined;
}

function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString("base64");
}
