import type { Configuration, ResourceBlock } from "./configuration";
import { orderedNodes } from "./graph";
import { blockAddress } from "./configuration";

const orders = new WeakMap<Configuration, ReadonlySet<string>>();

/**
 * Checks whether a replacement creates the new object first: if the resource, or one that depends on it, says
 * so.
 *
 * @see {@link https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle#create_before_destroy}
 */
export function isCreatedBeforeDestroy(
  block: ResourceBlock,
  configuration: Configuration,
): boolean {
  let found = orders.get(configuration);
  if (found === undefined) {
    found = createdFirst(configuration);
    orders.set(configuration, found);
  }
  return found.has(blockAddress(block));
}

function createdFirst(configuration: Configuration): ReadonlySet<string> {
  const first = new Set<string>();
  // Whatever depends on a node comes after it.
  for (const { id, dependencies } of [...orderedNodes(configuration)].reverse()) {
    const block = configuration.resources.get(id);
    if (block?.lifecycle["create_before_destroy"] === true) first.add(id);
    if (first.has(id)) for (const dependency of dependencies) first.add(dependency);
  }
  return first;
}
