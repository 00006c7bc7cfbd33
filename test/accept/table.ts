import type { FindingCode, Path } from "../../src/core/schema";

/** What must be found about the arguments of a row. */
export interface Expected {
  readonly code: FindingCode;
  /** Where, in the spec's (camelCase) names. */
  readonly path: Path;
}

/**
 * One row of an acceptance table: arguments in the spec's names, and the expected result.
 *
 * `UNKNOWN` of `src/core/schema` is a value that is not known yet, at any depth: the construct is
 * given a cdktf token there, the provider Terraform's unknown.
 */
export interface AcceptanceRow {
  /** A sentence about behaviour. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The errors, in any order, which validating shows already; an empty list means accepted. */
  readonly errors: readonly Expected[];
  /** Warnings that must be among those shown. @default nothing is said about warnings */
  readonly warnings?: readonly Expected[];
  /**
   * `construct`: Terraform itself refuses or converts such arguments before the provider sees them.
   * `provider`: a construct cannot be given such arguments.
   *
   * @default both
   */
  readonly on?: "both" | "construct" | "provider";
}

/** What the provider makes of arguments in the environment of a build: a read, or a creation. */
export interface BuildRow {
  /** A sentence about behaviour. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The settings of the provider. @default those of the runner */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The variables of the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Values that must come out; for a regular expression, texts that match it. @default nothing is said about values */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Refused while planning or reading, with a message that matches each of these. @default accepted */
  readonly refused?: readonly RegExp[];
  /** Warnings that match these must be among those shown. @default none is shown at all */
  readonly warnings?: readonly RegExp[];
  /** Texts that no message may hold. */
  readonly secrets?: readonly string[];
}

/** What changes between two applies, and whether that replaces the resource. */
export interface ChangeRow {
  readonly input: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly replaces: boolean;
}
