import { LocalBackend, TerraformBackend, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import type { Declaration } from "../../schema";
import { sliceOf } from "./dialect";
import type { Product } from "./product";

const stacks = new WeakSet<TerraformStack>();

/**
 * Gives the stack of a construct the state file that the product's platform reads, unless the stack has a
 * backend when it is synthesized. By default, cdktf uses an absolute path on the machine of the author.
 */
export function defaultStateFile(
  construct: IConstruct,
  declaration: Declaration,
  product: Product,
): void {
  const path = product.providers[sliceOf(declaration)]?.stateFile;
  const stack = TerraformStack.of(construct);
  if (path === undefined || stacks.has(stack)) return;
  stacks.add(stack);
  // cdktf calls it when it prepares the stack, to add its own default.
  stack.ensureBackendExists = () => backendOf(stack) ?? new LocalBackend(stack, { path });
}

/** The backend of a stack; undefined if there is none yet. */
export const backendOf = (stack: TerraformStack): TerraformBackend | undefined =>
  stack.node.findAll().find((each) => TerraformBackend.isBackend(each));
