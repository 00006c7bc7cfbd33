import type { Properties } from "../../json/plain-json";
import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { synthesizedBody, type Binding } from "../cdktf-internals/binding";
import { referenceGraph, type ReferenceGraph } from "../graph/references";
import { stackNodes, type StackNodes } from "../graph/stack-nodes";
import type { StackContext } from "./construct-type";

/**
 * The view of an app during one validation. Each part is read once, when it is first needed. The view is not
 * kept, because trees change.
 */
export class AppView {
  readonly #root: IConstruct;
  readonly #nodes = new Map<TerraformStack, StackNodes>();
  readonly #bodies = new Map<Binding, Properties>();
  readonly #graphs = new Map<TerraformStack, ReferenceGraph>();
  #stacks: readonly TerraformStack[] | undefined;

  constructor(root: IConstruct) {
    this.#root = root;
  }

  get stacks(): readonly TerraformStack[] {
    this.#stacks ??= this.#stacksIn(this.#root);
    return this.#stacks;
  }

  contextOf(stack: TerraformStack): StackContext {
    const stacks = (): readonly TerraformStack[] => this.stacks;
    return {
      stack,
      get stacks() {
        return stacks();
      },
      nodesOf: (other = stack) => this.#nodesOf(other).nodes,
      references: (other = stack) => this.#referencesOf(other),
    };
  }

  /** The synthesized values of a binding, by Terraform's names; undefined if it was moved. */
  readonly bodyOf = (binding: Binding): Properties | undefined => {
    const known = this.#bodies.get(binding);
    if (known !== undefined) return known;
    const body = synthesizedBody(binding);
    if (body !== undefined) this.#bodies.set(binding, body);
    return body;
  };

  #stacksIn(node: IConstruct): readonly TerraformStack[] {
    return TerraformStack.isStack(node)
      ? [node, ...this.#nodesOf(node).inner.flatMap((each) => this.#stacksIn(each))]
      : node.node.children.flatMap((child) => this.#stacksIn(child));
  }

  #nodesOf(stack: TerraformStack): StackNodes {
    const found = this.#nodes.get(stack) ?? stackNodes(stack);
    this.#nodes.set(stack, found);
    return found;
  }

  #referencesOf(stack: TerraformStack): ReferenceGraph {
    const graph =
      this.#graphs.get(stack) ?? referenceGraph(stack, this.#nodesOf(stack).nodes, this.bodyOf);
    this.#graphs.set(stack, graph);
    return graph;
  }
}
