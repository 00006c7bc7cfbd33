import type { Digest } from "../../oci/reference/digest";
import { goList, goStruct, type GoJson } from "../../../json/go-json";
import { JsonFields } from "../../../json/json-fields";
import type { JsonObject, JsonValue } from "../../../json/json-value";
import { parseJson } from "../../../json/parse-json";
import { FormatError } from "./format-error";

export const statementV01 = "https://in-toto.io/Statement/v0.1";
export const statementV1 = "https://in-toto.io/Statement/v1";

/** The predicate type of a bundle that is a signature, and nothing more. */
export const signPredicateType = "https://sigstore.dev/cosign/sign/v1";

export interface StatementProps {
  /** `host/repository`; only legacy statements name it. */
  readonly name: string;
  readonly digest: Digest;
  /** The whole URI. */
  readonly predicateType: string;
  readonly predicate: JsonValue | GoJson;
}

/** A legacy attestation's statement, with the bytes that other tools would give it. */
export function legacyStatement({ name, digest, ...rest }: StatementProps): Buffer {
  return statement(statementV01, goStruct({ name, digest: digestSet(digest) }), rest);
}

/** The statement of a bundle, which leaves the name out. */
export function bundleStatement({ digest, ...rest }: Omit<StatementProps, "name">): Buffer {
  return statement(statementV1, goStruct({ digest: digestSet(digest) }), rest);
}

/** The statement of a bundle that signs an image. */
export function signStatement(digest: Digest): Buffer {
  return bundleStatement({ digest, predicateType: signPredicateType, predicate: {} });
}

/** What `custom` makes of any text: data with the time at which it was attested. */
export function customPredicate(text: string, now: Date): GoJson {
  return goStruct({ Data: text, Timestamp: `${now.toISOString().slice(0, 19)}Z` });
}

/** A statement, as far as its format goes. */
export interface Statement {
  readonly type: string;
  readonly predicateType: string;
  readonly subjects: readonly StatementSubject[];
  readonly predicate: JsonValue | undefined;
  /** All of it: what policies are asked about. */
  readonly json: JsonObject;
}

export interface StatementSubject {
  readonly name?: string | undefined;
  /** Digests by algorithm, in hexadecimal. */
  readonly digest: Readonly<Record<string, string>>;
}

/**
 * Reads a statement, whoever wrote it.
 *
 * @throws JsonError, FormatError
 */
export function readStatement(payload: Uint8Array): Statement {
  const fields = JsonFields.of(parseJson(payload), "statement");
  const type = fields.text("_type");
  if (type !== statementV01 && type !== statementV1) {
    throw new FormatError("the statement's _type is not one of in-toto's, v0.1 or v1");
  }
  return {
    type,
    predicateType: fields.text("predicateType"),
    subjects: fields.list("subject").map(subjectOf),
    predicate: fields.object["predicate"],
    json: fields.object,
  };
}

/** Whether one of the subjects is the content with this digest; only sha256 counts. */
export function isAbout({ subjects }: Statement, digest: Digest): boolean {
  return subjects.some((subject) => `sha256:${subject.digest["sha256"] ?? ""}` === digest);
}

function subjectOf(fields: JsonFields): StatementSubject {
  const digests = fields.optionalFields("digest");
  const names = Object.keys(digests?.object ?? {});
  return {
    name: fields.optionalText("name"),
    digest: Object.fromEntries(names.map((name) => [name, digests?.text(name) ?? ""])),
  };
}

function statement(
  type: string,
  subject: GoJson,
  { predicateType, predicate }: Pick<StatementProps, "predicateType" | "predicate">,
): Buffer {
  const fields = { _type: type, subject: goList([subject]), predicateType, predicate };
  return Buffer.from(goStruct(fields).text, "utf8");
}

function digestSet(digest: Digest): GoJson {
  return goStruct({ sha256: digest.slice("sha256:".length) });
}
