import { TerraformDataSource, TerraformElement, TerraformResource, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { addressOf } from "./address";
import { ReferenceWalk } from "./reference-walk";
import { nodesOf } from "./stack-nodes";
import { hasOverrides, synthesizedBody } from "../cdktf-internals/binding";

/** A reference to an element of another stack. */
export interface OutsideReference {
  readonly stack: TerraformStack;
  readonly address: string;
}

export interface ElementReferences {
  readonly element: TerraformElement;
  /**
   * `workspace_agent.main`, `data.workspace_parameter.region`, `module.m`, `local.l`, `var.v`,
   * `output.o`, `provider.kubernetes`.
   */
  readonly address: string;
  /** The addresses of other elements of the stack that this one refers to directly. */
  readonly references: ReadonlySet<string>;
  /** The elements and attributes of other stacks that it refers to. */
  readonly outside: readonly OutsideReference[];
}

/**
 * Which elements of a stack refer to which: in their values, in `dependsOn`, `count`, `forEach` and
 * provisioners, by their provider, and through `node.addDependency` of our constructs.
 *
 * It describes the tree at the time it was created. Each validation of a stack creates a new one.
 */
export interface ReferenceGraph {
  readonly elements: readonly ElementReferences[];
  /** The entry of an element, or of the binding of one of our constructs. */
  of(construct: IConstruct): ElementReferences | undefined;
  /** The entry with this address. */
  at(address: string): ElementReferences | undefined;
  /** The elements of the graph's stack that refer directly to a construct, which can be in another stack. */
  referrersOf(construct: IConstruct): readonly ElementReferences[];
}

/**
 * Finds the references in a stack. Only tokens that can contain a reference are resolved.
 *
 * @param nodes the constructs of the stack
 * @param bodyOf the synthesized values of a binding
 */
export function referenceGraph(
  stack: TerraformStack,
  nodes = nodesOf(stack),
  bodyOf = synthesizedBody,
): ReferenceGraph {
  const addresses = new Map<IConstruct, string>();
  for (const node of nodes) {
    const address = addressOf(node);
    if (address !== undefined) addresses.set(node, address);
  }
  const known = new Set(addresses.values());
  const elements: ElementReferences[] = [];
  for (const [element, address] of addresses) {
    if (!TerraformElement.isTerraformElement(element)) continue;
    const references = new Set<string>();
    const outside: OutsideReference[] = [];
    const add = (to: string, origin: TerraformStack | undefined): void => {
      if (origin !== undefined && origin !== stack) outside.push({ stack: origin, address: to });
      else if (to !== address && known.has(to)) references.add(to);
    };
    new ReferenceWalk(element, add).value(valuesOf(element, bodyOf));
    for (const other of [...dependenciesOf(element), ...providerOf(element)]) {
      const to = addresses.get(other) ?? addressOf(other);
      if (to !== undefined) add(to, TerraformStack.of(other));
    }
    elements.push({ element, address, references, outside });
  }
  return new Graph(stack, elements);
}

class Graph implements ReferenceGraph {
  readonly elements: readonly ElementReferences[];
  readonly #stack: TerraformStack;
  readonly #byElement = new Map<IConstruct, ElementReferences>();
  readonly #byAddress = new Map<string, ElementReferences>();
  #referrers: Map<string, ElementReferences[]> | undefined;

  constructor(stack: TerraformStack, elements: readonly ElementReferences[]) {
    this.#stack = stack;
    this.elements = elements;
    for (const entry of elements) {
      this.#byElement.set(entry.element, entry);
      this.#byAddress.set(entry.address, entry);
    }
  }

  of(construct: IConstruct): ElementReferences | undefined {
    return this.#byElement.get(elementOf(construct));
  }

  at(address: string): ElementReferences | undefined {
    return this.#byAddress.get(address);
  }

  referrersOf(construct: IConstruct): readonly ElementReferences[] {
    const element = elementOf(construct);
    const address = addressOf(element);
    if (address === undefined) return [];
    const stack = TerraformStack.of(element);
    if (stack === this.#stack) return this.#referrersIn().get(address) ?? [];
    return this.elements.filter(({ outside }) =>
      outside.some((each) => each.stack === stack && each.address === address),
    );
  }

  #referrersIn(): ReadonlyMap<string, ElementReferences[]> {
    if (this.#referrers !== undefined) return this.#referrers;
    const referrers = new Map<string, ElementReferences[]>();
    for (const entry of this.elements) {
      for (const address of entry.references) {
        const known = referrers.get(address);
        if (known === undefined) referrers.set(address, [entry]);
        else known.push(entry);
      }
    }
    this.#referrers = referrers;
    return referrers;
  }
}

/** Returns the binding of one of our constructs; anything else is an element itself. */
function elementOf(construct: IConstruct): IConstruct {
  const inner = "resource" in construct ? construct.resource : undefined;
  return TerraformElement.isTerraformElement(inner) ? inner : construct;
}

function valuesOf(element: TerraformElement, bodyOf: typeof synthesizedBody): unknown {
  if (!isBody(element)) return element.toTerraform() as unknown;
  const body = bodyOf(element);
  if (hasOverrides(element)) return body;
  const meta: unknown = element.terraformMetaArguments;
  return [body, meta, "provisioners" in element ? element.provisioners : undefined];
}

const providerOf = (element: TerraformElement): readonly IConstruct[] =>
  isBody(element) && element.provider !== undefined ? [element.provider] : [];

const isBody = (element: TerraformElement): element is TerraformResource | TerraformDataSource =>
  TerraformResource.isTerraformResource(element) ||
  TerraformDataSource.isTerraformDataSource(element);

const notDependable = /^(?:var|local|output|provider)\./;

/** Returns the dependencies that `node.addDependency` added to one of our constructs and its parents. */
function dependenciesOf(element: TerraformElement): IConstruct[] {
  const parent = element.node.scope;
  if (parent === undefined || elementOf(parent) !== element) return [];
  const found: IConstruct[] = [];
  for (let at: IConstruct | undefined = parent; at !== undefined; at = at.node.scope) {
    for (const { node } of at.node.dependencies) {
      found.push(...node.findAll());
    }
  }
  return found.filter((each) => each !== element && !notDependable.test(addressOf(each) ?? ""));
}
