import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";

/** The constructs and stacks below a stack in the tree. */
export interface StackNodes {
  /** Its constructs in the order of the tree, without those of stacks inside it. */
  readonly nodes: readonly IConstruct[];
  /** The stacks inside it. */
  readonly inner: readonly TerraformStack[];
}

export function stackNodes(stack: TerraformStack): StackNodes {
  const nodes: IConstruct[] = [];
  const inner: TerraformStack[] = [];
  const addChildren = (parent: IConstruct): void => {
    for (const child of parent.node.children) {
      if (TerraformStack.isStack(child)) {
        inner.push(child);
        continue;
      }
      nodes.push(child);
      addChildren(child);
    }
  };
  addChildren(stack);
  return { nodes, inner };
}

/** Returns the constructs of a stack in the order of the tree, without those of stacks inside it. */
export const nodesOf = (stack: TerraformStack): readonly IConstruct[] => stackNodes(stack).nodes;
