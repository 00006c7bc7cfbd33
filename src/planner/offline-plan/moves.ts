import { type InstanceKey, instanceAddress, type Target, wholeOf } from "./address";
import { blockAddress, type Configuration, type ResourceBlock } from "./configuration";
import { inOrder } from "./graph";
import type { StoredInstance } from "./state";

/** What moves, or where it moves to: a whole resource or module, or one instance of it. */
export interface Endpoint extends Target {
  readonly isWhole: boolean;
  /** The address without `[*]` for a whole resource. */
  readonly address: string;
}

/** A `moved` block, or the move that Terraform adds when `count` is added or removed. */
export interface Move {
  readonly from: Endpoint;
  readonly to: Endpoint;
}

export interface ExplicitMoves {
  readonly written: readonly Move[];
  /** Sorted after their dependencies. */
  readonly ordered: readonly Move[];
  /** The texts of moves that form a circle. */
  readonly circle: readonly string[] | undefined;
}

/** A text such as `ids_endpoint.a → ids_endpoint.b`. */
const textOf = ({ from, to }: Move): string => `${from.address} → ${to.address}`;

const endpointOf = (target: Target, isWhole: boolean): Endpoint => ({
  ...target,
  isWhole,
  address: instanceAddress(target.block, target.key),
  containers: isWhole ? target.containers : [...target.containers, wholeOf(target.block)],
});

/** The identity of an endpoint: a whole resource and its only instance have the same address. */
export const idOf = ({ address, isWhole }: Endpoint): string =>
  isWhole ? wholeOf(address) : address;

/**
 * Reads the `moved` blocks. A block that continues another comes after it. A whole resource moves after the instances
 * that leave or enter its old place, and before the instances that leave or enter its new place.
 */
export function explicitMoves({ moved }: Pick<Configuration, "moved">): ExplicitMoves {
  const moves = moved.map(({ from, to }) => {
    const isWhole = from.key === undefined && to.key === undefined;
    return { from: endpointOf(from, isWhole), to: endpointOf(to, isWhole) };
  });
  const byText = new Map(moves.map((move) => [textOf(move), move]));
  const written = [...byText.values()];
  const before = predecessors(written);
  const { ordered, circle } = inOrder(
    [...byText].map(([id, move]) => ({ id, dependencies: before(move).map(textOf) })),
  );
  return { written, ordered: ordered.flatMap(({ id }) => byText.get(id) ?? []), circle };
}

/** Returns a function that finds the moves before a move, through indexes. */
function predecessors(moves: readonly Move[]): (move: Move) => readonly Move[] {
  const byTarget = new Map<string, Move[]>();
  const byContainer = new Map<string, Move[]>();
  const add = (index: Map<string, Move[]>, name: string, move: Move): void => {
    const all = index.get(name) ?? [];
    index.set(name, all);
    all.push(move);
  };
  for (const move of moves) {
    const { from, to } = move;
    add(byTarget, idOf(to), move);
    for (const each of new Set([...from.containers, ...to.containers])) {
      add(byContainer, each, move);
    }
  }
  return ({ from, to }) => [
    ...[idOf(from), ...from.containers, ...to.containers].flatMap((id) => byTarget.get(id) ?? []),
    ...(byContainer.get(idOf(from)) ?? []),
  ];
}

/** An object of the state at its address in the configuration. */
export interface PlacedInstance extends StoredInstance {
  /** The earlier type; undefined if it did not change. */
  readonly movedFromType: string | undefined;
}

/** The objects at one address: the current one, and deposed ones that are left over from replacements. */
interface Group {
  readonly objects: readonly PlacedInstance[];
  readonly previous: string;
}

/** Applies moves to a state, one after another. An object that already is at a target stays there. */
export function placed(
  instances: readonly StoredInstance[],
  { resources }: Configuration,
  { written, ordered, circle }: ExplicitMoves,
) {
  const groups = grouped(instances);
  const isNamed = new Set(written.flatMap(({ from, to }) => [from.block, to.block]));
  // Implied moves depend on the state before any move. They never concern a resource of an explicit move.
  const implied = [...groups].flatMap(([block, keys]) =>
    isNamed.has(block) ? [] : impliedMove(resources.get(block), keys),
  );
  // A circle is an error, which is reported elsewhere.
  const moves = circle === undefined ? [...ordered, ...implied] : implied;
  for (const { from, to } of moves) {
    if (to.resource === undefined) moveModule(groups, from, to);
    const source = groups.get(from.block);
    if (source === undefined || to.resource === undefined) continue;
    const target = groups.get(to.block);
    const type = resources.has(to.block) ? to.resource.type : undefined;
    const moved = (group: Group, key: InstanceKey): Group => ({
      objects: group.objects.map((each) => ({
        ...each,
        ...to.resource,
        module: to.module,
        key,
        movedFromType: type === undefined || type === each.type ? each.movedFromType : each.type,
      })),
      previous: group.previous,
    });
    if (from.isWhole) {
      if (target !== undefined) continue;
      groups.delete(from.block);
      groups.set(to.block, new Map([...source].map(([key, group]) => [key, moved(group, key)])));
      continue;
    }
    const group = source.get(from.key);
    if (group === undefined || target?.has(to.key) === true) continue;
    source.delete(from.key);
    if (source.size === 0) groups.delete(from.block);
    const others = groups.get(to.block) ?? new Map<InstanceKey, Group>();
    groups.set(to.block, others.set(to.key, moved(group, to.key)));
  }
  const all = [...groups].flatMap(([block, keys]) =>
    [...keys].map(([key, group]) => ({ ...group, address: instanceAddress(block, key) })),
  );
  return {
    instances: all.flatMap(({ objects }) => objects),
    previous: new Map(
      all.flatMap(({ address, previous }) =>
        previous === address ? [] : [[address, previous] as const],
      ),
    ),
  };
}

/** Moves the instances of a module to addresses that are free. */
function moveModule(groups: Groups, from: Endpoint, to: Endpoint): void {
  const moduleOf = (keys: Keys): string => [...keys.values()][0]?.objects[0]?.module ?? "";
  const taken = new Set([...groups.values()].map(moduleOf));
  for (const [block, keys] of [...groups]) {
    const module = moduleOf(keys);
    const rest = module.slice(from.address.length);
    const isInside = rest === "" || rest.startsWith(".") || (from.isWhole && rest.startsWith("["));
    const target = `${to.address}${rest}`;
    if (!module.startsWith(from.address) || !isInside || taken.has(target)) continue;
    groups.delete(block);
    groups.set(
      `${to.address}${block.slice(from.address.length)}`,
      new Map(
        [...keys].map(([key, { objects, previous }]) => [
          key,
          { objects: objects.map((each) => ({ ...each, module: target })), previous },
        ]),
      ),
    );
  }
}

type Keys = Map<InstanceKey, Group>;
type Groups = Map<string, Keys>;

function grouped(instances: readonly StoredInstance[]): Groups {
  const groups: Groups = new Map();
  for (const instance of instances) {
    const block = blockOf(instance);
    const keys = groups.get(block) ?? new Map<InstanceKey, Group>();
    groups.set(block, keys);
    const { objects } = keys.get(instance.key) ?? { objects: [] };
    const all = [...objects, { ...instance, movedFromType: undefined }];
    keys.set(instance.key, { objects: all, previous: addressOf(instance) });
  }
  return groups;
}

/** The move between the only instance and the first instance of `count`. */
function impliedMove(
  block: ResourceBlock | undefined,
  keys: ReadonlyMap<InstanceKey, unknown>,
): readonly Move[] {
  if (block === undefined || block.forEach !== undefined) return [];
  const [from, to] = block.count === undefined ? [0, undefined] : [undefined, 0];
  if (!keys.has(from)) return [];
  const { mode, type, name } = block;
  const resource = { mode, type, name };
  const target = { block: blockOf(block), resource, module: undefined, containers: [] };
  const at = (key: InstanceKey): Endpoint => endpointOf({ ...target, key }, false);
  return [{ from: at(from), to: at(to) }];
}

/** Checks for an object that is not left over from a replacement. */
export const isCurrent = ({ deposedKey }: StoredInstance): boolean => deposedKey === undefined;

/** The address of the resource to which an object of the state belongs. */
export const blockOf = ({
  module,
  ...resource
}: Pick<StoredInstance, "module" | "mode" | "type" | "name">): string =>
  `${module === undefined ? "" : `${module}.`}${blockAddress(resource)}`;

export const addressOf = (instance: StoredInstance): string =>
  instanceAddress(blockOf(instance), instance.key);
