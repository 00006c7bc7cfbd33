import type { TerraformStack } from "cdktf";

const preparing = new WeakMap<TerraformStack, boolean>();

/**
 * Lets {@link isPreparing} know about a stack. cdktf prepares a stack by resolving all of its tokens once, so that
 * those that refer to other stacks can add outputs to them, and ignores the result.
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

/** Whether cdktf is preparing a watched stack. */
export const isPreparing = (stack: TerraformStack): boolean => preparing.get(stack) === true;
