import { Fn, Token } from "cdktf";
import { isRecord } from "../../json/is-object";
import type { PredicateFile } from "./predicate-file";
import { predicateTypes } from "./predicate-type";
import type { SlsaProvenance } from "./slsa-provenance";

/** A statement about an image: a type, and either a JSON or a file. */
export interface Predicate {
  /** Type of the predicate: a URI, or one of the short names of `PredicateType`. */
  readonly type: string;
  /**
   * JSON of the predicate: an object. Excludes `files`.
   *
   * @default none
   */
  readonly json?: string | undefined;
  /**
   * The file with the predicate, one at most. Excludes `json`.
   *
   * @default none
   */
  readonly files?: readonly PredicateFile[] | undefined;
}

/** Makes predicates. */
export const Predicate = {
  /**
   * A predicate of a type of one's own, or of one of `PredicateType`.
   *
   * @param value what JSON can hold; texts, numbers and lists in it may be tokens
   */
  of: (type: string, value: object): Predicate => ({ type, json: jsonText(value) }),

  /**
   * A predicate from a file with a JSON object. The file is copied into the stack, with its SHA-256.
   *
   * @param path a relative one is taken from where this program runs
   */
  fromFile: (type: string, path: string): Predicate => ({ type, files: [{ path }] }),

  /** Where and how the image was built: SLSA provenance v1. */
  slsaProvenance: (provenance: SlsaProvenance): Predicate => ({
    type: "https://slsa.dev/provenance/v1",
    json: jsonText(provenance),
  }),

  /** What is in the image: an SPDX document in JSON, from a file as in {@link Predicate.fromFile}. */
  spdx: (path: string): Predicate => ({ type: predicateTypes.spdxjson, files: [{ path }] }),

  /** What is in the image: a CycloneDX document in JSON, from a file as in {@link Predicate.fromFile}. */
  cycloneDx: (path: string): Predicate => ({ type: predicateTypes.cyclonedx, files: [{ path }] }),
} as const;

/**
 * The JSON of a value as Terraform is to be given it: a token stays a token, which Terraform encodes when
 * it knows the value, and `${` stays the letters that it is.
 *
 * @throws TypeError for what JSON cannot hold: a cycle, a bigint
 */
function jsonText(value: object): string {
  const tokens: unknown[] = [];
  const text = JSON.stringify(value, function (this: unknown, name, shown: unknown) {
    // Tokens have a `toJSON` of their own, which is called before this.
    const given: unknown = isRecord(this) ? this[name] : shown;
    if (!Token.isUnresolved(given)) return shown;
    tokens.push(given);
    return `${placeholder}${tokens.length - 1}`;
  });
  return text
    .replaceAll(/([$%])\{(?!TfToken\[)/g, "$1$1{")
    .replaceAll(placeholderText, (_whole, index) => Fn.jsonencode(escaped(tokens[Number(index)])));
}

/** Not a letter that a text has by accident; JSON writes it as an escape. */
const placeholder = "\u0000token ";
const placeholderText = /"\\u0000token (\d+)"/g;

/** cdktf puts the letters beside a token into an expression without a look at them. */
function escaped(token: unknown): unknown {
  if (typeof token !== "string") return token;
  return token.replaceAll(
    /(\$\{TfToken\[[^\]]*\]\})|[\\"\r\t]|%(?=\{)/g,
    (letters, marker: string | undefined) => marker ?? escapes[letters] ?? letters,
  );
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\r": "\\r",
  "\t": "\\t",
  "%": "%%",
};
