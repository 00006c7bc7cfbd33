import {
  dependable,
  TerraformDataSource,
  TerraformModule,
  TerraformResource,
  TerraformStack,
  type ITerraformDependable,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";

/**
 * Passes `node.addDependency` of a construct, and of its parents, on to Terraform. cdktf itself reads
 * `dependsOn` only.
 *
 * The dependencies are collected when the resource is synthesized, since they may be added until then.
 *
 * @param given the elements that `dependsOn` already has
 */
export function followNodeDependencies(
  construct: Construct,
  resource: TerraformResource | TerraformDataSource | TerraformModule,
  given: readonly ITerraformDependable[] = [],
): void {
  const toTerraform = resource.toTerraform.bind(resource) as () => unknown;
  const toHclTerraform = resource.toHclTerraform.bind(resource) as () => unknown;
  // An accessor from the start would make every use of every resource slower.
  let isFollowing = false;
  const follow = (): void => {
    if (isFollowing || !hasDependencies(construct)) return;
    isFollowing = true;
    defineDependsOn(construct, resource, given);
  };
  resource.toTerraform = () => {
    follow();
    return toTerraform();
  };
  resource.toHclTerraform = () => {
    follow();
    return toHclTerraform();
  };
}

function hasDependencies(construct: IConstruct): boolean {
  for (let at: IConstruct | undefined = construct; at !== undefined; at = at.node.scope) {
    if (at.node.dependencies.length > 0) return true;
  }
  return false;
}

function defineDependsOn(
  construct: Construct,
  resource: TerraformResource | TerraformDataSource | TerraformModule,
  given: readonly ITerraformDependable[],
): void {
  let own = resource.dependsOn;
  const named = new Set<IConstruct | ITerraformDependable>(given).add(resource);
  Object.defineProperty(resource, "dependsOn", {
    enumerable: true,
    get: (): string[] => {
      const all = construct.node.scopes.flatMap(({ node }) => node.dependencies);
      const stack = TerraformStack.of(construct);
      const elements = all.flatMap(({ node }) => node.findAll()).filter((each) => !named.has(each));
      const further = elements.flatMap((element) => addresses(element, stack));
      return [...new Set([...(own ?? []), ...further])];
    },
    set: (dependsOn: string[] | undefined) => {
      own = dependsOn;
    },
  });
}

/**
 * Returns the address of an element. For an element of another stack, adds a dependency between the stacks
 * instead.
 */
function addresses(element: IConstruct, stack: TerraformStack): string[] {
  if (!isDependable(element)) return [];
  const other = TerraformStack.of(element);
  if (other === stack) return [addressOf(element)];
  stack.addDependency(other);
  return [];
}

function isDependable(element: IConstruct): element is IConstruct & ITerraformDependable {
  return (
    TerraformResource.isTerraformResource(element) ||
    TerraformDataSource.isTerraformDataSource(element) ||
    element instanceof TerraformModule
  );
}

const known = new WeakMap<ITerraformDependable, string>();

function addressOf(element: ITerraformDependable): string {
  const address = known.get(element) ?? dependable(element);
  known.set(element, address);
  return address;
}
