import { type GoJson, goList, goStruct } from "../../../json/exact-json";
import { JsonFields, parseJson } from "../../../json/parse-json";
import { jsonError } from "../../../json/read-json";
import { algorithmOf, type Digest, hexOf } from "../../oci/reference/descriptor";
import type { JsonObject, JsonValue } from "../../../json/plain-json";

export const inTotoPayloadType = "application/vnd.in-toto+json";

/**
 * A DSSE envelope with exactly one signature.
 *
 * @see https://github.com/secure-systems-lab/dsse/blob/master/envelope.md
 */
export interface DsseEnvelope {
  readonly payloadType: string;
  readonly payload: Buffer;
  readonly signature: Buffer;
}

/**
 * The bytes that an envelope's signature covers (pre-authentication encoding).
 *
 * @see https://github.com/secure-systems-lab/dsse/blob/master/protocol.md
 */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType, "utf8");
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.byteLength} `),
    type,
    Buffer.from(` ${payload.byteLength} `),
    payload,
  ]);
}

/**
 * Serializes an envelope as JSON.
 *
 * The log contains the hash of these bytes, so the layer must consist of exactly them.
 */
export function writeEnvelope({ payloadType, payload, signature }: DsseEnvelope): Buffer {
  const text = goStruct({
    payloadType,
    payload: payload.toString("base64"),
    signatures: goList([goStruct({ keyid: "", sig: signature.toString("base64") })]),
  }).text;
  return Buffer.from(text, "utf8");
}

/** Parses an envelope. Several signatures are an error, because only one is verified. @throws JsonError */
export function readEnvelope(bytes: Uint8Array): DsseEnvelope {
  return envelopeOf(JsonFields.of(parseJson(bytes, { valuesMax: 1_000 }), "envelope"));
}

/**
 * Reads an envelope from parsed JSON.
 *
 * @param known the only members that a signature may have. @default all
 * @throws JsonError
 */
export function envelopeOf(envelope: JsonFields, known?: readonly string[]): DsseEnvelope {
  const [signature, ...others] = envelope.list("signatures", known);
  if (signature === undefined || others.length > 0) {
    throw jsonError("SHAPE", "an envelope must have exactly one signature");
  }
  signature.optionalString("keyid");
  return {
    payloadType: envelope.string("payloadType"),
    payload: envelope.base64("payload"),
    signature: signature.base64("sig"),
  };
}

/**
 * The type of in-toto statements of version 0.1, as in legacy attestations.
 *
 * @see https://github.com/in-toto/attestation/tree/main/spec/v0.1.0
 */
const statementV01 = "https://in-toto.io/Statement/v0.1";
/**
 * The type of in-toto statements of version 1, as in bundles.
 *
 * @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 */
const statementV1 = "https://in-toto.io/Statement/v1";

export const signPredicateType = "https://sigstore.dev/cosign/sign/v1";

export interface NewSubject {
  /** `host/repository` of an image, only in legacy statements; or the name of a file. */
  readonly name?: string;
  readonly digest: Digest;
}

export interface NewPredicate {
  /** The full URI. */
  readonly predicateType: string;
  readonly predicate: JsonValue | GoJson;
}

/** Serializes the statement of a legacy attestation, byte for byte as other tools do. */
export function legacyStatement({
  name,
  digest,
  ...predicate
}: Required<NewSubject> & NewPredicate): Buffer {
  return statement(statementV01, [{ name, digest }], predicate);
}

/** Serializes the statement of a bundle, which has no name. */
export function bundleStatement({
  digest,
  ...predicate
}: Pick<NewSubject, "digest"> & NewPredicate): Buffer {
  return statement(statementV1, [{ digest }], predicate);
}

export function fileStatement(files: readonly NewSubject[], predicate: NewPredicate): Buffer {
  return statement(statementV1, files, predicate);
}

/** Serializes the statement of a bundle that signs an image. */
export function signStatement(digest: Digest): Buffer {
  return bundleStatement({ digest, predicateType: signPredicateType, predicate: {} });
}

/** The predicate of type `custom`: any string, with the time of the attestation. */
export function customPredicate(data: string, now: Date): GoJson {
  return goStruct({ Data: data, Timestamp: `${now.toISOString().slice(0, 19)}Z` });
}

export interface Statement {
  readonly type: string;
  readonly predicateType: string;
  readonly subjects: readonly StatementSubject[];
  readonly predicate: JsonValue | undefined;
  readonly json: JsonObject;
}

interface StatementSubject {
  readonly name?: string | undefined;
  /** Digests by algorithm, in hexadecimal. */
  readonly digest: Readonly<Record<string, string>>;
}

/** Parses a statement. @throws JsonError */
export function readStatement(payload: Uint8Array): Statement {
  const fields = JsonFields.of(parseJson(payload), "statement");
  const type = fields.string("_type");
  if (type !== statementV01 && type !== statementV1) {
    throw jsonError(
      "SHAPE",
      "the statement's _type is not that of an in-toto statement of v0.1 or v1",
    );
  }
  return {
    type,
    predicateType: fields.string("predicateType"),
    subjects: fields.list("subject").map(subjectOf),
    predicate: fields.object["predicate"],
    json: fields.object,
  };
}

/** True if one of the subjects has this digest, under its algorithm. */
export function hasSubject({ subjects }: Statement, digest: Digest): boolean {
  return subjects.some((subject) => subject.digest[algorithmOf(digest)] === hexOf(digest));
}

function subjectOf(fields: JsonFields): StatementSubject {
  const digests = fields.optionalFields("digest");
  const names = Object.keys(digests?.object ?? {});
  return {
    name: fields.optionalString("name"),
    digest: Object.fromEntries(names.map((name) => [name, digests?.string(name) ?? ""])),
  };
}

function statement(
  type: string,
  subjects: readonly NewSubject[],
  { predicateType, predicate }: NewPredicate,
): Buffer {
  const subject = subjects.map(({ name, digest }) =>
    goStruct({
      ...(name !== undefined && { name }),
      digest: goStruct({ [algorithmOf(digest)]: hexOf(digest) }),
    }),
  );
  const fields = { _type: type, subject: goList(subject), predicateType, predicate };
  return Buffer.from(goStruct(fields).text, "utf8");
}
