import type { TerraformStack } from "cdktf";
import type { Finding } from "../schema";
import type { CheckedConstruct } from "./checked-construct";
import type { ConstructType } from "./construct-type";
import type { ReferenceGraph } from "./references";
import type { Values } from "./synthesized-values";

/** A construct of a stack, with the values that it hands to Terraform. */
export interface StackMember {
  readonly construct: CheckedConstruct;
  /** What it is: a rule that several types name tells its members apart by it. */
  readonly type: ConstructType;
  /** What Terraform will read, escape hatches included, under the declaration's names and words. */
  readonly values: Values;
}

/** Something that was found about one construct of a stack. */
export interface StackFinding {
  readonly construct: CheckedConstruct;
  readonly finding: Finding;
}

/** What a rule may look at besides its members. */
export interface StackContext {
  /** The stack that is validated. */
  readonly stack: TerraformStack;
  /** All stacks of the app, this one among them. */
  readonly stacks: readonly TerraformStack[];
  /**
   * What the elements of a stack refer to. It is computed when a rule first asks, and kept for the
   * other rules of the same validation.
   *
   * @param stack @default the stack that is validated
   */
  references(stack?: TerraformStack): ReferenceGraph;
}

/** A rule across the constructs of one stack whose types name it. */
export type StackRule = (
  members: readonly StackMember[],
  context: StackContext,
) => Iterable<StackFinding>;
