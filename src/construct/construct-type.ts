import type { Declaration } from "../schema";
import type { StackRule } from "./stack-rule";

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
