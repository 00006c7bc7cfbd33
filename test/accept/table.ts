import type { FindingCode, Path } from "../../src/schema";

/** What must be found about the arguments of a row. */
export interface Expected {
  readonly code: FindingCode;
  /** Where, in the spec's (camelCase) names. */
  readonly path: Path;
}

/**
 * One row of an acceptance table: arguments in the spec's names, and what becomes of them.
 *
 * `UNKNOWN` of `src/schema` stands for a value that is not known yet, at any depth: the construct is
 * given a cdktf token there, the provider Terraform's unknown.
 */
export interface AcceptanceRow {
  /** A sentence about behaviour. */
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The errors, in any order; an empty list means accepted. */
  readonly errors: readonly Expected[];
  /** Warnings that must be among those shown. @default nothing is said about warnings */
  readonly warnings?: readonly Expected[];
  /** `construct`: Terraform itself refuses or converts such arguments before the provider sees them. @default both */
  readonly on?: "both" | "construct";
}

/** What changes between two applies, and whether that replaces the resource. */
export interface ChangeRow {
  readonly input: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly replaces: boolean;
}
