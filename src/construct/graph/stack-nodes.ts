import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";

/** The constructs of a stack in the order of the tree, without the stack and those of stacks inside it. */
export function nodesOf(stack: TerraformStack): IConstruct[] {
  const nodes: IConstruct[] = [];
  addNodes(stack, nodes);
  return nodes;
}

function addNodes(parent: IConstruct, nodes: IConstruct[]): void {
  for (const child of parent.node.children) {
    if (TerraformStack.isStack(child)) continue;
    nodes.push(child);
    addNodes(child, nodes);
  }
}
