import { predicateTypes } from "./predicate-type";
import { jsonText } from "./json-text";
import type { PredicateFile } from "./predicate-file";
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
