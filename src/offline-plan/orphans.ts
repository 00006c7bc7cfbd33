import { Value } from "../expression/value";
import { plainAddress } from "./graph";
import type { ResourceBlock } from "./configuration";
import type { StartedProvider } from "./evaluation";
import { addressOf, type PlacedInstance } from "./moves";
import { sourceOf } from "./offline-plan";
import { changeOf } from "./plan-json";
import { identityOf, type PlanRun } from "./plan-run";
import type { StoredInstance } from "./state";

/** Plans the destruction of what the state has, but the configuration does not. */
export async function planOrphans(run: PlanRun): Promise<void> {
  for (const stored of run.stored) {
    const isUnexpanded = run.unexpanded.has(`${stored.type}.${stored.name}`);
    if (stored.mode === "data" || isUnexpanded) continue;
    if (stored.deposedKey === undefined && run.wanted.has(addressOf(stored))) continue;
    await planOrphan(run, stored);
  }
}

async function planOrphan(run: PlanRun, stored: PlacedInstance): Promise<void> {
  const { type, name, key, deposedKey, previousAddress } = stored;
  const address = addressOf(stored);
  const block = `${type}.${name}`;
  const started = providerOf(run, stored);
  const schema = started?.schemas.resources.get(type);
  if (started === undefined || schema === undefined) {
    run.notPlanned.push({ address, why: "other-provider", reasons: [] });
    return;
  }
  const { provider } = started;
  const prior = await run.priorOf(address, stored, provider, schema);
  if (prior === undefined) return;
  const isForgotten = run.configuration.removed.some(
    ({ from, isDestroyed }) => !isDestroyed && [block, address].includes(plainAddress(from)),
  );
  if (!isForgotten && deposedKey === undefined && !prior.isTainted) {
    const before = prior.state.unmarked();
    run.report(address, await provider.planDestruction(type, schema, before, prior.private));
  }
  const action = isForgotten ? "forget" : "delete";
  const reason = deleteReason(run.configuration.resources.get(block), stored);
  run.changes.push({
    ...identityOf(address, { mode: "managed", type, name }, key),
    ...(previousAddress !== undefined && { previous_address: previousAddress }),
    ...(deposedKey === undefined ? { action_reason: reason } : { deposed: deposedKey }),
    change: changeOf([action], prior.state, Value.null(schema.block.type), []),
  });
}

function providerOf(run: PlanRun, stored: StoredInstance): StartedProvider | undefined {
  const name = providerNameOf(run, stored);
  if (name === undefined || run.failedProviders.has(name)) return undefined;
  return run.providers.get(name);
}

/** The name of the first configuration of the provider to which an object belongs. */
export function providerNameOf(run: PlanRun, { source, type }: StoredInstance): string | undefined {
  for (const [name, started] of run.providers) {
    const own = sourceOf(run.configuration, name);
    const isOwn = source === own || source.endsWith(`/${own}`);
    if (isOwn && started.schemas.resources.has(type)) return name;
  }
  return undefined;
}

function deleteReason(block: ResourceBlock | undefined, { key }: StoredInstance): string {
  if (block === undefined) return "delete_because_no_resource_config";
  const { count, forEach } = block;
  if (count !== undefined && typeof key === "number") return "delete_because_count_index";
  const isEach = forEach !== undefined && typeof key === "string";
  return isEach ? "delete_because_each_key" : "delete_because_wrong_repetition";
}
