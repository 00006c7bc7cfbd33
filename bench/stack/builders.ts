import type { TerraformStack } from "cdktf";

/** Builds a number of pieces in a stack. */
export type Build = (stack: TerraformStack, count: number) => void;

/** The two ways to build the same stack. */
export interface Builders {
  readonly construct: Build;
  /** With the generated bindings only. */
  readonly binding: Build;
}
