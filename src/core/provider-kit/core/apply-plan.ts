import type { Values } from "../../schema/resource-rule";
import { equalValues } from "../cty/equal";
import { type CoreDiagnostic, distinct, hasErrors, refused } from "./diagnostic";
import {
  askApply,
  askPlan,
  type CheckedPlan,
  type ProviderCalls,
  type ResourceType,
  unknownProblems,
} from "./resource-calls";
import {
  noPrivateData,
  type ResourcePlan,
  type ResourceResult,
  type StoredResource,
} from "./resource-plan";
import { resultProblems } from "./result-problems";

type Provider = Pick<ProviderCalls, "planResourceChange" | "applyResourceChange">;

/**
 * Applies a plan as Terraform's core does. A replacement deletes first.
 *
 * As in Terraform, the change is planned again first, from the state, because more values may be known by now. Known
 * values of the plan must be unchanged. Warnings of the plan are not repeated.
 *
 * @param config the configuration with the values known now
 * @throws Error for a plan that failed or was deferred
 */
export async function applyPlan(
  provider: Provider,
  type: ResourceType,
  plan: ResourcePlan,
  config: Values | null,
): Promise<ResourceResult> {
  const { action, stored } = plan;
  if (action === undefined) throw new Error("a plan that failed cannot be applied");
  if (plan.deferral !== undefined) throw new Error("a plan that was deferred cannot be applied");
  if (action === "no-op") return { stored, diagnostics: [] };
  if (config === null) return destroy(provider, type, stored, plan.private);
  if (action !== "replace") return change(provider, type, plan, config, stored);
  const deleted = await destroy(provider, type, stored, plan.private);
  if (hasErrors(deleted.diagnostics)) return deleted;
  const created = await change(provider, type, plan, config, undefined);
  return { ...created, diagnostics: [...deleted.diagnostics, ...created.diagnostics] };
}

async function change(
  provider: Provider,
  type: ResourceType,
  plan: ResourcePlan,
  config: Values,
  stored: StoredResource | undefined,
): Promise<ResourceResult> {
  const prior = stored?.state ?? null;
  const { final, diagnostics: problems } = await planFinally(provider, type, plan, config, stored);
  const diagnostics = [...problems];
  if (final?.planned == null || hasErrors(diagnostics)) return { stored, diagnostics };
  if (prior !== null && equalValues(type.schema.type, final.planned, prior)) {
    return { stored, diagnostics };
  }
  const { planned, identity: plannedIdentity, private: plannedPrivate } = final;
  const request = { config, prior, planned, plannedIdentity, plannedPrivate };
  const result = await askApply(provider, type, request);
  diagnostics.push(...result.diagnostics);
  const hasFailed = hasErrors(diagnostics);
  const { state, identity } = result;
  if (state === null) return { stored: hasFailed ? stored : undefined, diagnostics };
  const isTainted = prior === null && hasFailed;
  return {
    stored: { state, identity, private: result.private, ...(isTainted && { isTainted }) },
    diagnostics,
  };
}

/**
 * Plans a change again, from the state, and compares the result with the first plan.
 *
 * @param config the configuration with the values known now
 * @param stored undefined for a creation
 */
export async function planFinally(
  provider: Pick<ProviderCalls, "planResourceChange">,
  type: ResourceType,
  plan: ResourcePlan,
  config: Values,
  stored: StoredResource | undefined,
): Promise<{ readonly final?: CheckedPlan; readonly diagnostics: readonly CoreDiagnostic[] }> {
  const open = unknownProblems(config);
  const unknown = refused(type, "Configuration contains unknown value", open);
  if (unknown.length > 0) return { diagnostics: unknown };
  const final = await askPlan(provider, type, {
    config,
    prior: stored?.state ?? null,
    priorPrivate: stored?.private ?? noPrivateData,
    priorIdentity: stored?.identity,
    plannedPrivate: plan.private,
  });
  const shown = distinct(plan.diagnostics);
  const diagnostics = distinct([...shown, ...final.diagnostics]).slice(shown.length);
  if (final.planned === null) return { final, diagnostics };
  const changed = resultProblems(type.schema, plan.planned, final.planned).map((problem) => ({
    ...problem,
    message: `${problem.message}${type.cureOf?.(problem.path) ?? ""}`,
  }));
  diagnostics.push(...refused(type, "Provider produced inconsistent final plan", changed));
  return { final, diagnostics };
}

async function destroy(
  provider: Provider,
  type: ResourceType,
  stored: StoredResource | undefined,
  plannedPrivate: Uint8Array,
): Promise<ResourceResult> {
  const result = await askApply(provider, type, {
    config: null,
    prior: stored?.state ?? null,
    planned: null,
    plannedIdentity: stored?.identity,
    plannedPrivate,
  });
  const { state, diagnostics } = result;
  if (state !== null) return { stored: { ...stored, state, private: result.private }, diagnostics };
  return { stored: hasErrors(diagnostics) ? stored : undefined, diagnostics };
}
