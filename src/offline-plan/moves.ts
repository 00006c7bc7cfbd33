import { type InstanceKey, instanceAddress, parseAddress } from "./address";
import type { Configuration, ResourceBlock } from "./configuration";
import type { StoredInstance } from "./state";

/** An object of the state at the address that it has in the configuration. */
export interface PlacedInstance extends StoredInstance {
  readonly previousAddress: string | undefined;
}

/** Applies `moved` blocks, and Terraform's own moves when `count` is added or removed. */
export function placed(
  instances: readonly StoredInstance[],
  configuration: Configuration,
): readonly PlacedInstance[] {
  const taken = new Set(instances.filter(isCurrent).map(addressOf));
  const moves = ordered(configuration);
  return instances.map((instance) => {
    let current = instance;
    for (const { from, to } of moves) {
      const target = movedTo(current, from, to);
      if (target === undefined || taken.has(addressOf(target))) continue;
      taken.delete(addressOf(current));
      taken.add(addressOf(target));
      current = target;
    }
    const implied = impliedMove(current, configuration.resources);
    if (implied !== undefined && !taken.has(addressOf(implied))) {
      taken.add(addressOf(implied));
      current = implied;
    }
    const previous = addressOf(instance);
    const previousAddress = previous === addressOf(current) ? undefined : previous;
    return { ...current, previousAddress };
  });
}

/** Checks that an object is not left over from a replacement. */
export const isCurrent = ({ deposedKey }: StoredInstance): boolean => deposedKey === undefined;

/** The address of an object of the state. */
export const addressOf = ({ mode, type, name, key }: StoredInstance): string =>
  instanceAddress(`${mode === "data" ? "data." : ""}${type}.${name}`, key);

/** Sorts moves so that each comes before the one that moves its target on. */
function ordered({ moved }: Configuration): Configuration["moved"] {
  const rest = [...moved];
  const sorted: Configuration["moved"][number][] = [];
  while (rest.length > 0) {
    const at = rest.findIndex(({ from }) => !rest.some(({ to }) => to === from));
    const [next] = rest.splice(Math.max(at, 0), 1);
    if (next !== undefined) sorted.push(next);
  }
  return sorted;
}

function movedTo(instance: StoredInstance, from: string, to: string): StoredInstance | undefined {
  const [source, target] = [parseAddress(from), parseAddress(to)];
  if (source === undefined || target === undefined || instance.mode === "data") return undefined;
  if (instance.type !== source.type || instance.name !== source.name) return undefined;
  if (source.type !== target.type) return undefined;
  if (source.key !== undefined && source.key !== instance.key) return undefined;
  // Without keys, a resource moves with all its instances.
  const isWhole = source.key === undefined && target.key === undefined;
  if (source.key === undefined && !isWhole && instance.key !== undefined) return undefined;
  return { ...instance, name: target.name, key: isWhole ? instance.key : target.key };
}

function impliedMove(
  instance: StoredInstance,
  resources: ReadonlyMap<string, ResourceBlock>,
): StoredInstance | undefined {
  const block = resources.get(`${instance.type}.${instance.name}`);
  if (block === undefined || instance.mode === "data" || block.forEach !== undefined) {
    return undefined;
  }
  const wanted: InstanceKey = block.count === undefined ? undefined : 0;
  const isImplied = wanted === 0 ? instance.key === undefined : instance.key === 0;
  return isImplied ? { ...instance, key: wanted } : undefined;
}
