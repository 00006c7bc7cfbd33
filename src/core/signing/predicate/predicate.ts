import { Fn, Token } from "cdktf";
import { isRecord } from "../../json/plain-json";
import { predicateTypes } from "./predicate-type";

/**
 * An input or output of a build, with at least one of URI, digest and content.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#ResourceDescriptor
 */
export interface SlsaResource {
  readonly uri?: string | undefined;
  /** Digests by algorithm: `{ sha256: "…" }`, `{ gitCommit: "…" }`. */
  readonly digest?: Readonly<Record<string, string>> | undefined;
  readonly name?: string | undefined;
  readonly downloadLocation?: string | undefined;
  readonly mediaType?: string | undefined;
  /** The content itself, in base64. */
  readonly content?: string | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The inputs of a build: everything needed to run it again.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#BuildDefinition
 */
export interface SlsaBuildDefinition {
  /** URI that defines the meaning of the parameters. */
  readonly buildType: string;
  /** Parameters under external control, such as the user's. */
  readonly externalParameters: object;
  /** Parameters that the build platform set. */
  readonly internalParameters?: object | undefined;
  /** The sources, packages and base images that the build used. */
  readonly resolvedDependencies?: readonly SlsaResource[] | undefined;
}

/**
 * The build platform.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#Builder
 */
export interface SlsaBuilder {
  /** URI of the build platform. */
  readonly id: string;
  readonly builderDependencies?: readonly SlsaResource[] | undefined;
  /** Versions of the platform's components, by name. */
  readonly version?: Readonly<Record<string, string>> | undefined;
}

/**
 * Details of one run of the build.
 *
 * @see https://slsa.dev/spec/v1.0/provenance#RunDetails
 */
export interface SlsaRunDetails {
  readonly builder: SlsaBuilder;
  readonly metadata?:
    | {
        /** Identifies the run on the build platform. */
        readonly invocationId?: string | undefined;
        /** A string must be in the format of RFC 3339. */
        readonly startedOn?: Date | string | undefined;
        /** A string must be in the format of RFC 3339. */
        readonly finishedOn?: Date | string | undefined;
      }
    | undefined;
  /** Other outputs of the run, in addition to the image. */
  readonly byproducts?: readonly SlsaResource[] | undefined;
}

/**
 * Where and how an image was built: the predicate of https://slsa.dev/provenance/v1.
 *
 * @see https://slsa.dev/spec/v1.0/provenance
 */
export interface SlsaProvenance {
  readonly buildDefinition: SlsaBuildDefinition;
  readonly runDetails: SlsaRunDetails;
}

/** A statement about an image: a type, and either JSON or a file. */
export interface Predicate {
  /** Type of the predicate: a URI, or one of the short names of `PredicateType`. */
  readonly type: string;
  /** JSON of the predicate: a JSON object. Cannot be combined with `files`. @default none */
  readonly json?: string | undefined;
  /** The file with the predicate, at most one. Cannot be combined with `json`. @default none */
  readonly files?: readonly PredicateFile[] | undefined;
}

/** Creates predicates. */
export const Predicate = {
  /**
   * A predicate of your own type, or of one of `PredicateType`.
   *
   * @param value anything JSON can represent; strings, numbers and lists in it may be tokens
   */
  of: (type: string, value: object): Predicate => ({ type, json: jsonText(value) }),

  /**
   * A predicate from a file with a JSON object. The file is copied into the stack, with its SHA-256.
   *
   * @param path a relative path is resolved against the working directory of this program
   */
  fromFile: (type: string, path: string): Predicate => ({ type, files: [{ path }] }),

  /** States where and how the image was built: SLSA provenance v1. */
  slsaProvenance: (provenance: SlsaProvenance): Predicate => ({
    type: "https://slsa.dev/provenance/v1",
    json: jsonText(provenance),
  }),

  /** Lists what the image contains: an SPDX document in JSON, from a file as in {@link Predicate.fromFile}. */
  spdx: (path: string): Predicate => ({ type: predicateTypes.spdxjson, files: [{ path }] }),

  /** Lists what the image contains: a CycloneDX document in JSON, from a file as in {@link Predicate.fromFile}. */
  cycloneDx: (path: string): Predicate => ({ type: predicateTypes.cyclonedx, files: [{ path }] }),
} as const;

/**
 * Converts a value to JSON for Terraform. Terraform encodes tokens once it knows their values, and a literal
 * `${` is escaped.
 *
 * @throws TypeError for a value that JSON cannot represent, such as a cycle or a bigint
 */
function jsonText(value: object): string {
  const tokens: unknown[] = [];
  const text = JSON.stringify(value, function (this: unknown, name, shown: unknown) {
    // Tokens have their own `toJSON`, which is called before this function.
    const given: unknown = isRecord(this) ? this[name] : shown;
    if (!Token.isUnresolved(given)) return shown;
    tokens.push(given);
    return `${placeholder}${tokens.length - 1}`;
  });
  return text
    .replaceAll(/([$%])\{(?!TfToken\[)/g, "$1$1{")
    .replaceAll(placeholderText, (_whole, index) => Fn.jsonencode(escaped(tokens[Number(index)])));
}

// Begins with a character that strings rarely contain, and that JSON escapes.
const placeholder = "\u0000token ";
const placeholderText = /"\\u0000token (\d+)"/g;

/** Escapes the characters around a token: cdktf copies them into an expression unchanged. */
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

/** A file with the JSON of a predicate. */
export interface PredicateFile {
  /**
   * Path of the file, which may have at most 32 MiB.
   *
   * Without `sha256`, the construct reads the file and copies it into the stack; a relative path is resolved
   * against the working directory of this program. With `sha256`, Terraform reads the file; a relative path
   * is resolved against the directory in which Terraform runs.
   */
  readonly path: string;
  /** SHA-256 of the file, in lowercase hexadecimal. @default the SHA-256 of the file's current content */
  readonly sha256?: string | undefined;
}
