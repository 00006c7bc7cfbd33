import type { TerraformStack } from "cdktf";

const preparing = new WeakMap<TerraformStack, boolean>();

/**
 * Lets {@link isPreparing} know about a stack. cdktf prepares a stack by resolving all of its tokens once, so that
 * references to other stacks can add outputs to them, and ignores the result.
 */
export function watchPreparation(stack: TerraformStack): void {
  if (preparing.has(stack)) return;
  preparing.set(stack, false);
  const prepare = stack.prepareStack.bind(stack);
  stack.prepareStack = () => {
    preparing.set(stack, true);
    try {
      prepare();
    } finally {
      preparing.set(stack, false);
    }
  };
}

export const isPreparing = (stack: TerraformStack): boolean => preparing.get(stack) === true;

/** Replaces the error of a failed validation of a stack. */
export function explainValidation(stack: TerraformStack, explain: (error: Error) => Error): void {
  const runAll = stack.runAllValidations.bind(stack);
  stack.runAllValidations = () => {
    try {
      runAll();
    } catch (error) {
      throw error instanceof Error ? explain(error) : error;
    }
  };
}
