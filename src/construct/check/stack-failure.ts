import type { TerraformStack } from "cdktf";
import { withUserStack } from "./user-stack";

/**
 * Reduces the stack trace of a failed validation of a stack to the user's own lines.
 *
 * cdktf throws one error for all problems of a stack. The rest of its stack trace says nothing about them.
 */
export function failShortly(stack: TerraformStack): void {
  const validate = stack.runAllValidations.bind(stack);
  stack.runAllValidations = () => {
    try {
      validate();
    } catch (failure) {
      throw failure instanceof Error ? withUserStack(failure) : failure;
    }
  };
}
