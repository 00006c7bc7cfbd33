import { withoutKeys } from "./address";
import { inOrder, reachable } from "./graph";
import { blockOf } from "./moves";
import { providerNameOf } from "./orphans";
import type { JsonResourceChange } from "./plan-json";
import type { PlanRun } from "./plan-run";

/** The instances of a resource that are created or changed, or that are destroyed at the same point. */
interface Step {
  /** The address of the resource, with `destroy` before it if its instances are destroyed. */
  readonly node: string;
  readonly id: string;
  /** True for a destruction that waits for the new objects. */
  readonly isLast: boolean;
  readonly provider: string | undefined;
  readonly addresses: Set<string>;
  /** The resources on which the instances depend, or depended when they were last changed. */
  readonly dependencies: Set<string>;
}

/**
 * Reports changes that wait for each other in a circle, for which Terraform fails, too. This happens when a change adds
 * `create_before_destroy` and removes a reference, because objects are destroyed in the order that the state has.
 *
 * @see {@link https://github.com/hashicorp/terraform/blob/main/docs/destroying.md}
 */
export function checkApplyOrder(run: PlanRun): void {
  const isDestroying = run.changes.some(({ change }) => change.actions.includes("delete"));
  if (run.hasErrors || !isDestroying) return;
  const waits = waitsOf(run, stepsOf(run));
  const { circle } = inOrder(
    [...waits].map(([id, dependencies]) => ({ id, dependencies: [...dependencies] })),
  );
  if (circle === undefined) return;
  run.refuse(
    "stack",
    "Circular changes",
    `Each of these changes waits for the next, so Terraform cannot order them: ${circle.join(" → ")}. ` +
      "Deploy the changes of create_before_destroy first, and then the others.",
  );
}

function stepsOf(run: PlanRun): Readonly<Record<"creators" | "destroyers", readonly Step[]>> {
  const creators = new Map<string, Step>();
  const destroyers = new Map<string, Step>();
  for (const change of run.changes) {
    const [first, second] = change.change.actions;
    const isDestroyed = first === "delete" || second === "delete";
    if (isDestroyed) {
      const isLast = second === "delete" || isDestroyedLast(run, change);
      add(run, destroyers, change, isLast, `destroy ${isLast ? "the old " : ""}`);
    }
    const isCreated = second !== undefined || ["create", "update", "read"].includes(first ?? "");
    if (isCreated) add(run, creators, change, false, "");
  }
  return { creators: [...creators.values()], destroyers: [...destroyers.values()] };
}

/** Checks for a destruction that comes last, as the state decides for what the configuration no longer has. */
const isDestroyedLast = (run: PlanRun, { address, deposed, change }: JsonResourceChange): boolean =>
  deposed !== undefined ||
  (change.actions.length === 1 && run.storedAt.get(address)?.isCreatedFirst === true);

function add(
  run: PlanRun,
  steps: Map<string, Step>,
  { module_address: module, mode, type, name, address }: JsonResourceChange,
  isLast: boolean,
  word: string,
): void {
  const id = withoutKeys(blockOf({ module, mode, type, name }));
  const node = `${word}${id}`;
  const stored = run.storedAt.get(address);
  const block = run.configuration.resources.get(id);
  const step = steps.get(node) ?? {
    node,
    id,
    isLast,
    provider: block?.provider ?? (stored && providerNameOf(run, stored)),
    addresses: new Set(),
    // Of other instances, only the state knows the dependencies.
    dependencies: new Set(run.wanted.has(address) ? reachable(run.dependencies, id) : []),
  };
  steps.set(node, step);
  step.addresses.add(address);
  for (const each of stored?.dependencies ?? []) step.dependencies.add(each);
}

/** Connects the steps like Terraform: first as if each were destroyed first, then reversed where it is destroyed last. */
function waitsOf(
  { dependencies }: PlanRun,
  { creators, destroyers }: ReturnType<typeof stepsOf>,
): Map<string, Set<string>> {
  const waits = new Map([...dependencies].map(([id, all]) => [id, new Set(all)]));
  for (const { node, provider } of destroyers) waits.set(node, new Set([`provider.${provider}`]));
  for (const creator of creators) {
    for (const destroyer of destroyers) {
      if (isBefore(destroyer, creator)) waits.get(creator.node)?.add(destroyer.node);
    }
  }
  const between: (readonly [Step, Step])[] = [];
  for (const destroyer of destroyers) {
    for (const later of [...destroyers, ...creators]) {
      if (!destroyer.dependencies.has(later.id)) continue;
      if (later.provider === destroyer.provider) waits.get(later.node)?.add(destroyer.node);
      else between.push([later, destroyer]);
    }
  }
  // Terraform drops a wait between two providers if it would close a circle.
  for (const [later, destroyer] of between) {
    const isCircle = reachable(waits, destroyer.node).has(later.node);
    if (!isCircle) waits.get(later.node)?.add(destroyer.node);
  }
  for (const { node } of destroyers.filter(({ isLast }) => isLast)) {
    for (const creator of creators) {
      if (waits.get(creator.node)?.delete(node) === true) waits.get(node)?.add(creator.node);
    }
  }
  return waits;
}

/** Checks whether a creation waits for a destruction: of what it replaces, or of what it depended on. */
const isBefore = (destroyer: Step, creator: Step): boolean =>
  creator.dependencies.has(destroyer.id) ||
  (creator.id === destroyer.id &&
    [...creator.addresses].some((address) => destroyer.addresses.has(address)));
