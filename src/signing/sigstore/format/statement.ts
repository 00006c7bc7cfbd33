import { algorithmOf, hexOf, type Digest } from "../../oci/reference/digest";
import { goList, goStruct, type GoJson } from "../../../json/go-json";
import { JsonFields } from "../../../json/json-fields";
import type { JsonObject, JsonValue } from "../../../json/json-value";
import { parseJson } from "../../../json/parse-json";
import { JsonError } from "../../../json/json-error";

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

/** The predicate type of a bundle that is a signature. */
export const signPredicateType = "https://sigstore.dev/cosign/sign/v1";

/** The image or file that a statement is about. */
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

/** Serializes the statement of a legacy attestation, with the same bytes as other tools write. */
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

/** Serializes a statement about files. */
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

/** A parsed in-toto statement. */
export interface Statement {
  readonly type: string;
  readonly predicateType: string;
  readonly subjects: readonly StatementSubject[];
  readonly predicate: JsonValue | undefined;
  /** The whole statement. */
  readonly json: JsonObject;
}

interface StatementSubject {
  readonly name?: string | undefined;
  /** Digests by algorithm, in hexadecimal. */
  readonly digest: Readonly<Record<string, string>>;
}

/**
 * Parses a statement.
 *
 * @throws JsonError
 */
export function readStatement(payload: Uint8Array): Statement {
  const fields = JsonFields.of(parseJson(payload), "statement");
  const type = fields.string("_type");
  if (type !== statementV01 && type !== statementV1) {
    throw new JsonError(
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
