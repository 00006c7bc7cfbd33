import type { Properties } from "../../json/plain-json";
import type { TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import type { Declaration, Finding } from "../../schema";
import type { Binding } from "../cdktf-internals/binding";
import type { ReferenceGraph } from "../graph/references";

/** A class of constructs: its name, its declaration and its rules across a stack. */
export interface ConstructType {
  /** The class with its namespace, as messages name it: `ids.Endpoint`. */
  readonly name: string;
  readonly declaration: Declaration;
  /** Rules across the constructs of this class in one stack. */
  readonly stackRules: readonly StackRule[];
}

/** A construct that wraps its generated binding. */
export interface Wrapper extends Construct {
  readonly resource: Binding;
}

/** A construct of a stack, with its synthesized values. */
export interface StackMember {
  readonly construct: Wrapper;
  /** Its type, for rules that several types share. */
  readonly type: ConstructType;
  /**
   * The values that Terraform will read, including escape hatches, by the declaration's names and enum
   * values.
   */
  readonly values: Properties;
}

/** A finding about one construct of a stack. */
export interface StackFinding {
  readonly construct: Wrapper;
  readonly finding: Finding;
}

/** The data for a rule besides its members. */
export interface StackContext {
  /** The stack that is validated. */
  readonly stack: TerraformStack;
  readonly stacks: readonly TerraformStack[];
  /**
   * All constructs of a stack in the order of the tree, without those of stacks inside it.
   *
   * @param stack @default the stack that is validated
   */
  nodesOf(stack?: TerraformStack): readonly IConstruct[];
  /**
   * The references between the elements of a stack. They are computed on the first call and kept for the
   * other rules of the same validation.
   *
   * @param stack @default the stack that is validated
   */
  references(stack?: TerraformStack): ReferenceGraph;
}

/** A rule across those constructs of one stack whose types list it. */
export type StackRule = (
  members: readonly StackMember[],
  context: StackContext,
) => Iterable<StackFinding>;
