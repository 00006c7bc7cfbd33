import { LocalBackend, TerraformBackend, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import type { Declaration } from "../../schema";
import { nodesOf } from "../graph/stack-nodes";
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
  stack.ensureBackendExists = () => backendIn(nodesOf(stack)) ?? new LocalBackend(stack, { path });
}

/** The backend among the constructs of a stack; undefined if it has none yet. */
export const backendIn = (nodes: readonly IConstruct[]): TerraformBackend | undefined =>
  nodes.find((each): each is TerraformBackend => TerraformBackend.isBackend(each));
