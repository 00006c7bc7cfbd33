import { Value } from "../expression/value";
import { outermostModule, withoutKeys } from "./address";
import type { StartedProvider } from "./evaluation";
import { addressOf, blockOf, type PlacedInstance } from "./moves";
import { sourceOf } from "./configuration";
import { changeOf, type MovableResource } from "./plan-json";
import type { PlanRun } from "./plan-run";
import { plainOf } from "./provider-values";
import type { StoredInstance } from "./state";

/** Plans the destruction of objects that only the state has. */
export async function planOrphans(run: PlanRun): Promise<void> {
  for (const stored of run.stored) {
    if (stored.mode === "data" || isPlannedElsewhere(run, stored)) continue;
    await planOrphan(run, stored);
  }
  const { resources, modules } = run.configuration;
  for (const gone of run.state.notPlanned ?? []) {
    const block = withoutKeys(gone.address);
    const isThere = resources.has(block) || modules.has(block) || notDestroyed.test(block);
    if (!isThere) run.notPlanned.push(gone);
  }
}

/** Addresses of which a deployment destroys nothing. */
const notDestroyed = /^(?:data|local|output|provider)\./;

/** Checks whether an object is planned with its resource, or reported as not planned with its resource or module. */
function isPlannedElsewhere({ unexpanded, wanted }: PlanRun, stored: PlacedInstance): boolean {
  if (stored.module === undefined) {
    const isWanted = stored.deposedKey === undefined && wanted.has(addressOf(stored));
    return isWanted || unexpanded.has(blockOf(stored));
  }
  const { instance, call } = outermostModule(stored.module);
  return wanted.has(instance) || unexpanded.has(call);
}

async function planOrphan(run: PlanRun, stored: PlacedInstance): Promise<void> {
  const { type, key, deposedKey } = stored;
  const address = addressOf(stored);
  const started = providerOf(run, stored);
  const schema = started?.schemas.resources.get(type);
  if (started === undefined || schema === undefined) {
    run.notPlanned.push({ address, why: "other-provider", reasons: [] });
    if (deposedKey !== undefined) return;
    const created = run.changes.filter(({ change }) => String(change.actions) === "create");
    const types = new Set(created.map((each) => each.type));
    run.movable.push(...(await movableTo(types, run.providers.values(), address, stored)));
    return;
  }
  const { provider, schemas } = started;
  const prior = await run.priorOf(address, stored, provider, schema);
  if (prior === undefined) return;
  const block = withoutKeys(blockOf(stored));
  // Terraform uses the first block that matches.
  const removed = run.configuration.removed.find(
    ({ from }) =>
      from.block === block || (from.resource === undefined && block.startsWith(`${from.block}.`)),
  );
  const isForgotten = removed?.isDestroyed === false;
  const isAsked = schemas.plansDestruction && deposedKey === undefined && !prior.isTainted;
  if (!isForgotten && isAsked) {
    const request = {
      config: null,
      prior: plainOf(schema, prior.state),
      priorPrivate: prior.private,
    };
    const { diagnostics } = await provider.plan(type, schema, request);
    run.report(address, diagnostics);
  }
  run.record(stored, key, {
    action: isForgotten ? "forget" : "delete",
    reason: deposedKey === undefined ? deleteReason(run, stored) : undefined,
    before: prior.shown,
    after: Value.null(schema.block.type),
    deposedKey,
  });
}

/**
 * Converts an object of another provider to the types of new resources, as far as their providers support that.
 *
 * @param created the types of new resources
 */
export async function movableTo(
  created: ReadonlySet<string>,
  providers: Iterable<StartedProvider>,
  from: string,
  stored: Pick<StoredInstance, "type" | "attributes" | "schemaVersion" | "source" | "private">,
): Promise<readonly MovableResource[]> {
  const found: MovableResource[] = [];
  for (const { provider, schemas } of providers) {
    for (const type of created) {
      const schema = schemas.resources.get(type);
      if (schema === undefined || !isSameNoun(type, stored.type)) continue;
      if (found.some((each) => each.type === type)) continue;
      const { state } = await provider.stored(schema, {
        ...stored,
        type,
        movedFromType: stored.type,
      });
      if (state === undefined) continue;
      found.push({ from, type, before: changeOf(["no-op"], state, state, []).before });
    }
  }
  return found;
}

/** Checks for the same noun with another prefix. Providers are asked about nothing else: states can be large. */
export const isSameNoun = (type: string, old: string): boolean =>
  type !== old && old.endsWith(type.slice(type.indexOf("_")));

function providerOf(run: PlanRun, stored: StoredInstance): StartedProvider | undefined {
  const name = providerNameOf(run, stored);
  if (name === undefined || run.failedProviders.has(name)) return undefined;
  return run.providers.get(name);
}

/** The name of the first configuration of an object's provider. */
export function providerNameOf(run: PlanRun, { source, type }: StoredInstance): string | undefined {
  for (const [name, started] of run.providers) {
    const own = sourceOf(run.configuration, name);
    const isOwn = source === own || source.endsWith(`/${own}`);
    if (isOwn && started.schemas.resources.has(type)) return name;
  }
  return undefined;
}

function deleteReason(run: PlanRun, stored: StoredInstance): string {
  const { resources, modules } = run.configuration;
  if (modules.has(outermostModule(stored.module ?? "").call)) return "delete_because_no_module";
  const block = resources.get(blockOf(stored));
  if (block === undefined) {
    const isMoved = run.previousAddresses.has(addressOf(stored));
    return isMoved ? "delete_because_no_move_target" : "delete_because_no_resource_config";
  }
  const { count, forEach } = block;
  if (count !== undefined && typeof stored.key === "number") return "delete_because_count_index";
  const isEach = forEach !== undefined && typeof stored.key === "string";
  return isEach ? "delete_because_each_key" : "delete_because_wrong_repetition";
}
