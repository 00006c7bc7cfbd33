import type { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import type { Declaration, Finding } from "../../schema";
import type { Binding, Values } from "../cdktf-internals/binding";
import type { ReferenceGraph } from "../graph/references";

/** What all constructs of one class have in common. */
export interface ConstructType {
  /** The class with its namespace, as messages name it: `ids.Endpoint`. */
  readonly name: string;
  readonly declaration: Declaration;
  /**
   * Rules across the constructs of this class in one stack, run when the stack is synthesized.
   *
   * @default none
   */
  readonly stackRules?: readonly StackRule[];
}

/** A construct of ours around its generated binding. */
export interface Wrapper extends Construct {
  readonly resource: Binding;
}

/** A construct of a stack, with the values that it hands to Terraform. */
export interface StackMember {
  readonly construct: Wrapper;
  /** What it is: a rule that several types name tells its members apart by it. */
  readonly type: ConstructType;
  /** What Terraform will read, escape hatches included, under the declaration's names and words. */
  readonly values: Values;
}

/** Something that was found about one construct of a stack. */
export interface StackFinding {
  readonly construct: Wrapper;
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
