import type { Finding } from "../schema";
import type { CheckedConstruct } from "./checked-construct";
import type { Values } from "./synthesized-values";

/** A construct of a stack, with the values that it hands to Terraform. */
export interface StackMember {
  readonly construct: CheckedConstruct;
  /** What Terraform will read, escape hatches included, under the declaration's names. */
  readonly values: Values;
}

/** Something that was found about one construct of a stack. */
export interface StackFinding {
  readonly construct: CheckedConstruct;
  readonly finding: Finding;
}

/** A rule across the constructs of one stack that share it. */
export type StackRule = (members: readonly StackMember[]) => Iterable<StackFinding>;
