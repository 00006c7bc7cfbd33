import { predicateTypes, predicateTypeUri } from "../predicate/predicate-type";
import { maxAttachedBytes } from "../oci/registry/manifests";
import { type Digest, sha256Hex } from "../oci/reference/descriptor";
import type { GoJson } from "../../json/exact-json";
import { parseJson } from "../../json/parse-json";
import { isJsonError } from "../../json/read-json";
import { isJsonObject, type JsonValue } from "../../json/plain-json";
import { type SigningError, signingError } from "../sign/signing-error";
import type { Intended } from "../sign/signing-run";
import {
  bundleStatement,
  customPredicate,
  legacyStatement,
  readStatement,
  signPredicateType,
} from "../sigstore/format/statement";
import { isFileProblem, readGivenFile } from "../../process/files";

/** A predicate as the user wrote it. */
export interface PredicateInput {
  /** A short name, or a URI. */
  readonly type: string;
  /** The content: JSON, or any string for the types `custom` and `spdx`. */
  readonly json: string;
}

/** A parsed predicate, ready for a statement. */
export interface Predicate {
  /** The full URI. */
  readonly type: string;
  /** Value of the statement's member `predicate`. */
  readonly value: JsonValue | GoJson;
  /** Of a predicate that also contains the time: the string in it. */
  readonly timedText?: string | undefined;
}

const maxPredicateBytes = 32 * 1024 * 1024;

/**
 * Parses a predicate.
 *
 * `custom` accepts any string and adds the time. `spdx` uses the string as it is, because the tag-value
 * format of SPDX is not JSON. All other types need a JSON object.
 *
 * @throws SigningError `PREDICATE`; the message quotes nothing of the content
 */
export function readPredicate({ type, json }: PredicateInput, now: Date): Predicate {
  const uri = predicateTypeUri(type);
  const label = JSON.stringify(type.slice(0, 200));
  if (uri === undefined) {
    const names = Object.keys(predicateTypes).join(", ");
    throw unusable(`the predicate type ${label} is neither an absolute URI nor one of ${names}`);
  }
  if (uri === signPredicateType) {
    throw unusable(`the predicate type ${label} is the type of signatures; sign the image instead`);
  }
  if (Buffer.byteLength(json) > maxPredicateBytes) {
    throw unusable(`the predicate of type ${label} is larger than 32 MiB`);
  }
  if (uri === predicateTypes.custom) {
    return { type: uri, value: customPredicate(json, now), timedText: json };
  }
  if (type === "spdx") return { type: uri, value: json };
  return { type: uri, value: objectIn(json, label) };
}

export function legacyStatementOf(
  predicate: Predicate,
  { name, digest }: { readonly name: string; readonly digest: Digest },
): Intended {
  const { type: predicateType, value } = predicate;
  return prepared(predicate, legacyStatement({ name, digest, predicateType, predicate: value }));
}

export function bundleStatementOf(predicate: Predicate, digest: Digest): Intended {
  const { type: predicateType, value } = predicate;
  return prepared(predicate, bundleStatement({ digest, predicateType, predicate: value }));
}

/**
 * Maximum size of a statement, in bytes. Base64 makes it a third larger, and a verifier also reads smaller
 * attestations of the image within the same limit.
 */
const maxStatementBytes = Math.floor(((maxAttachedBytes - 16 * 1024 * 1024) * 3) / 4);

/** Refuses statements that readers would refuse, because a log entry cannot be removed. */
function prepared({ type, timedText }: Predicate, bytes: Buffer): Intended {
  const label = `the statement of type ${JSON.stringify(type)}`;
  if (bytes.byteLength > maxStatementBytes) {
    throw unusable(
      `${label} has ${bytes.byteLength} bytes, more than the maximum of ${maxStatementBytes}`,
    );
  }
  try {
    readStatement(bytes);
  } catch (error) {
    if (!isJsonError(error)) throw error;
    throw unusable(`${label} would not be readable: ${error.message}`, error);
  }
  return { bytes, type, sha256: sha256Hex(bytes), timedText };
}

function objectIn(json: string, label: string): JsonValue {
  let value: JsonValue;
  try {
    value = parseJson(json);
  } catch (error) {
    if (!isJsonError(error)) throw error;
    throw unusable(`the predicate of type ${label} is not JSON: ${error.message}`, error);
  }
  if (isJsonObject(value)) return value;
  throw unusable(`the predicate of type ${label} must be a JSON object`);
}

function unusable(problem: string, cause?: unknown): SigningError {
  return signingError("PREDICATE", problem, { cause });
}

/**
 * Reads a predicate from a regular file of at most 32 MiB, in UTF-8, and checks its hash. The file is read once, so that the
 * hashed content is the attested one.
 *
 * @param sha256 64 hexadecimal digits
 * @throws SigningError `PREDICATE_FILE`
 */
export async function readPredicateFile(path: string, sha256: string): Promise<string> {
  const label = `the predicate file ${JSON.stringify(path)}`;
  const bytes = await readGivenFile(path, maxPredicateBytes, "regular").catch((error: unknown) => {
    if (!isFileProblem(error)) throw error;
    throw failure(`${label} cannot be used: ${error.message}`, error);
  });
  const found = sha256Hex(bytes);
  if (found !== sha256.toLowerCase()) {
    throw failure(`${label} has changed: its sha256 is ${found}, expected ${sha256}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw failure(`${label} is not valid UTF-8`, error);
  }
}

function failure(message: string, cause?: unknown): SigningError {
  return signingError("PREDICATE_FILE", message, { cause });
}
