import { predicateTypes, predicateTypeUri } from "../predicate/predicate-type";
import type { Digest } from "../oci/reference/digest";
import { sha256Hex } from "../sigstore/payload/digest-of";
import {
  bundleStatement,
  customPredicate,
  legacyStatement,
  signPredicateType,
} from "../sigstore/payload/statement";
import type { GoJson } from "../../json/go-json";
import { JsonError } from "../../json/json-error";
import { isJsonObject, type JsonValue } from "../../json/json-value";
import { parseJson } from "../../json/parse-json";
import { SigningError } from "../run/signing-error";
import type { PreparedStatement } from "../attached/attest-as-bundles";

/** A predicate as it is given. */
export interface PredicateText {
  /** A short name, or a URI. */
  readonly type: string;
  readonly json: string;
}

/** A predicate that can be attested. */
export interface Predicate {
  /** The whole URI. */
  readonly type: string;
  readonly value: JsonValue | GoJson;
  /** The text in a predicate that also holds the time. */
  readonly timedText?: string | undefined;
}

/** What a predicate's text may weigh. */
export const maxPredicateBytes = 32 * 1024 * 1024;

/**
 * Reads a predicate.
 *
 * `custom` puts the text, whatever it is, beside the time; `spdx` states the text itself, as the tag-value
 * form of SPDX is no JSON; everything else is a JSON object.
 *
 * @throws SigningError `PREDICATE`, without a word of the predicate
 */
export function readPredicate({ type, json }: PredicateText, now: Date): Predicate {
  const uri = predicateTypeUri(type);
  const label = JSON.stringify(type.slice(0, 200));
  if (uri === undefined) {
    const names = Object.keys(predicateTypes).join(", ");
    throw unusable(`the predicate type ${label} is neither an absolute URI nor one of ${names}`);
  }
  if (uri === signPredicateType) {
    throw unusable(`the predicate type ${label} is that of signatures; sign the image instead`);
  }
  if (Buffer.byteLength(json) > maxPredicateBytes) {
    throw unusable(`the predicate of type ${label} has more than 32 MiB`);
  }
  if (uri === predicateTypes.custom) {
    return { type: uri, value: customPredicate(json, now), timedText: json };
  }
  if (type === "spdx") return { type: uri, value: json };
  return { type: uri, value: objectIn(json, label) };
}

/** The statement that a legacy attestation signs. */
export function legacyStatementOf(
  predicate: Predicate,
  { name, digest }: { readonly name: string; readonly digest: Digest },
): PreparedStatement {
  const { type: predicateType, value } = predicate;
  return prepared(predicate, legacyStatement({ name, digest, predicateType, predicate: value }));
}

/** The statement that a bundle signs. */
export function bundleStatementOf(predicate: Predicate, digest: Digest): PreparedStatement {
  const { type: predicateType, value } = predicate;
  return prepared(predicate, bundleStatement({ digest, predicateType, predicate: value }));
}

// Escaped, and in base64, a predicate can grow beyond what is read of an envelope.
const maxStatementBytes = 47 * 1024 * 1024;

function prepared({ type, timedText }: Predicate, bytes: Buffer): PreparedStatement {
  if (bytes.byteLength > maxStatementBytes) {
    throw unusable(
      `the statement of type ${JSON.stringify(type)} has ${bytes.byteLength} bytes, ` +
        `more than the ${maxStatementBytes} that fit into an envelope`,
    );
  }
  return { bytes, predicateType: type, statementSha256: sha256Hex(bytes), timedText };
}

function objectIn(json: string, label: string): JsonValue {
  let value: JsonValue;
  try {
    value = parseJson(json);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw unusable(`the predicate of type ${label} is not JSON: ${error.message}`, error);
  }
  if (isJsonObject(value)) return value;
  throw unusable(`the predicate of type ${label} must be a JSON object`);
}

function unusable(problem: string, cause?: unknown): SigningError {
  return new SigningError("PREDICATE", problem, cause);
}
