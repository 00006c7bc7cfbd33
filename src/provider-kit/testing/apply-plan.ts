import type { Values } from "../../schema/resource-rule";
import { equalValues } from "../plan/draft";
import { resultProblems } from "./core/result-problems";
import { distinct, isError } from "./harness-diagnostic";
import { type ResourceCalls, unknownProblems } from "./resource-calls";
import {
  noPrivateData,
  type ResourcePlan,
  type ResourceResult,
  type StoredResource,
} from "./resource-plan";

/**
 * Applies a plan as Terraform's core does. `ResourceHarness.apply` describes the steps.
 *
 * @param config the configuration with the values known now
 */
export async function applyPlan(
  calls: ResourceCalls,
  plan: ResourcePlan,
  config: Values | null,
): Promise<ResourceResult> {
  const { action, stored } = plan;
  if (action === undefined) throw new Error("a plan that failed cannot be applied");
  if (plan.deferral !== undefined) throw new Error("a plan that was deferred cannot be applied");
  if (action === "no-op") return { stored, diagnostics: [] };
  if (config === null) return destroy(calls, stored, plan.private);
  if (action !== "replace") return change(calls, plan, config, stored);
  const deleted = await destroy(calls, stored, plan.private);
  if (deleted.diagnostics.some(isError)) return deleted;
  const created = await change(calls, plan, config, undefined);
  return { ...created, diagnostics: [...deleted.diagnostics, ...created.diagnostics] };
}

async function change(
  calls: ResourceCalls,
  plan: ResourcePlan,
  config: Values,
  stored: StoredResource | undefined,
): Promise<ResourceResult> {
  const open = unknownProblems(config);
  const unknown = calls.refuse("Configuration contains unknown value", open);
  if (unknown.length > 0) return { stored, diagnostics: unknown };
  const prior = stored === undefined ? null : calls.values.fill(stored.state);
  const before = stored?.identity;
  const memory = stored?.private ?? noPrivateData;
  const final = await calls.plan(config, prior, memory, before, plan.private);
  const shown = distinct(plan.diagnostics);
  const diagnostics = distinct([...shown, ...final.diagnostics]).slice(shown.length);
  if (final.planned === null) return { stored, diagnostics };
  const changed = resultProblems(calls.values.declaration, plan.planned, final.planned);
  diagnostics.push(...calls.refuse("Provider produced inconsistent final plan", changed));
  if (diagnostics.some(isError)) return { stored, diagnostics };
  if (prior !== null && equalValues(calls.values.type, final.planned, prior)) {
    return { stored, diagnostics };
  }
  const { planned, identity: plannedIdentity, private: plannedPrivate } = final;
  const result = await calls.apply({ config, prior, planned, plannedIdentity, plannedPrivate });
  diagnostics.push(...result.diagnostics);
  const hasFailed = diagnostics.some(isError);
  const { state, identity } = result;
  if (state === null) return { stored: hasFailed ? stored : undefined, diagnostics };
  const isTainted = prior === null && hasFailed;
  return {
    stored: { state, identity, private: result.private, ...(isTainted && { isTainted }) },
    diagnostics,
  };
}

async function destroy(
  calls: ResourceCalls,
  stored: StoredResource | undefined,
  plannedPrivate: Uint8Array,
): Promise<ResourceResult> {
  const prior = stored?.state ?? null;
  const plannedIdentity = stored?.identity;
  const {
    state,
    private: memory,
    diagnostics,
  } = await calls.apply({
    config: null,
    prior,
    planned: null,
    plannedIdentity,
    plannedPrivate,
  });
  if (state !== null) return { stored: { ...stored, state, private: memory }, diagnostics };
  return { stored: diagnostics.some(isError) ? stored : undefined, diagnostics };
}
