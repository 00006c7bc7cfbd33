import type { Values } from "../../schema/resource-rule";
import { isRecord } from "../../json/plain-json";
import type { Path } from "../../schema/finding";
import type { CtyValue } from "../cty/value";
import { unknownPath, withoutUnknown } from "../plan/conformity";
import type { DeferralReason } from "../server/provider-error";
import { planProblems } from "./core/plan-problems";
import type { Problem } from "./core/problem";
import { proposedState } from "./core/proposed-state";
import { resultProblems } from "./core/result-problems";
import { type WireValues, IdentityValues, invalidIdentity } from "./wire-values";
import {
  coreDiagnostics,
  type HarnessDiagnostic,
  isError,
  readDiagnostics,
  readPath,
} from "./harness-diagnostic";
import type { ProviderCalls } from "./provider-client";
import type { PlannedResource } from "./resource-plan";
import type { Deferred } from "../wire/tfplugin6/tfplugin6-value";

interface CheckedPlan extends PlannedResource {
  /** The paths that require a replacement, in Terraform's names. */
  readonly requiresReplace: readonly Path[];
}

interface Change {
  /** The configuration; null to destroy. */
  readonly config: Values | null;
  readonly prior: Values | null;
  readonly planned: Values | null;
  readonly plannedIdentity: Values | undefined;
  readonly plannedPrivate: Uint8Array;
}

interface CheckedResult {
  /** The new state; null when the resource does not exist. */
  readonly state: Values | null;
  readonly identity: Values | undefined;
  readonly private: Uint8Array;
  readonly diagnostics: readonly HarnessDiagnostic[];
}

/**
 * Calls a provider for resources of one type, and checks its responses as Terraform's core does.
 */
export class ResourceCalls {
  readonly identities: IdentityValues;
  /** Requested when the first destruction is planned. */
  #plansDestruction: Promise<boolean> | undefined;

  constructor(
    readonly provider: ProviderCalls,
    readonly values: WireValues,
  ) {
    this.identities = new IdentityValues(values.declaration);
  }

  async plan(
    config: Values,
    prior: Values | null,
    priorPrivate: Uint8Array,
    priorIdentity: Values | undefined,
    plannedPrivate?: Uint8Array,
  ): Promise<CheckedPlan> {
    const { declaration } = this.values;
    const given = this.values.fill(config);
    const proposed = proposedState(declaration, prior, given);
    const response = await this.provider.planResourceChange({
      typeName: declaration.type,
      config: this.values.encode(given),
      priorState: this.values.encode(prior),
      proposedNewState: this.values.encode(isRecord(proposed) ? proposed : null),
      priorPrivate,
      priorIdentity: this.identities.encode(priorIdentity),
      plannedPrivate,
    });
    const diagnostics = readDiagnostics(response.diagnostics);
    const failed: CheckedPlan = {
      planned: null,
      identity: this.identities.decode(response.plannedIdentity),
      private: response.plannedPrivate,
      requiresReplace: response.requiresReplace.map(readPath),
      deferral: readDeferral(response),
      diagnostics,
    };
    if (diagnostics.some(isError)) return failed;
    const planned = this.values.decode(response.plannedState) ?? null;
    const problems = planProblems(declaration, prior, given, planned);
    diagnostics.push(...this.refuse("Provider produced invalid plan", problems));
    return problems.length > 0 ? failed : { ...failed, planned };
  }

  /** Plans a destruction, if the provider has the capability to. */
  async planDestruction(
    prior: Values,
    priorPrivate: Uint8Array,
  ): Promise<Pick<PlannedResource, "private" | "deferral" | "diagnostics">> {
    this.#plansDestruction ??= this.provider
      .getProviderSchema({})
      .then(({ serverCapabilities }) => serverCapabilities?.planDestroy === true);
    if (!(await this.#plansDestruction)) {
      return { private: priorPrivate, diagnostics: [], deferral: undefined };
    }
    const nothing = this.values.encode(null);
    const response = await this.provider.planResourceChange({
      typeName: this.values.declaration.type,
      config: nothing,
      priorState: this.values.encode(prior),
      proposedNewState: nothing,
      priorPrivate,
    });
    const diagnostics = readDiagnostics(response.diagnostics);
    const isKept = this.values.decode(response.plannedState) !== undefined;
    const problem = { path: [], message: "planned a non-null destroy value" };
    if (isKept) diagnostics.push(...this.refuse("Provider produced invalid plan", [problem]));
    const deferral = readDeferral(response);
    return { private: response.plannedPrivate, diagnostics, deferral };
  }

  async apply(change: Change): Promise<CheckedResult> {
    const { config, prior, planned, plannedIdentity, plannedPrivate } = change;
    const { declaration } = this.values;
    const response = await this.provider.applyResourceChange({
      typeName: declaration.type,
      config: this.values.encode(config),
      priorState: this.values.encode(prior),
      plannedState: this.values.encode(planned),
      plannedPrivate,
      plannedIdentity: this.identities.encode(plannedIdentity),
    });
    const diagnostics = readDiagnostics(response.diagnostics);
    const identity = this.identities.decode(response.newIdentity);
    const state = this.values.decode(response.newState) ?? null;
    if (state === null && diagnostics.some(isError)) {
      return { state, identity, private: response.private, diagnostics };
    }
    diagnostics.push(
      ...this.refuse("Provider returned invalid result object after apply", unknownProblems(state)),
      ...this.refuse(invalidIdentity, this.identities.problems(identity)),
    );
    if (planned !== null && !diagnostics.some(isError)) {
      const summary = "Provider produced inconsistent result after apply";
      diagnostics.push(...this.refuse(summary, resultProblems(declaration, planned, state)));
    }
    // A state contains no unknown values, whatever a provider returns.
    const known = state && (withoutUnknown(state as CtyValue) as Values);
    return { state: known, identity, private: response.private, diagnostics };
  }

  /** Returns the diagnostics that Terraform shows for a response that it does not accept. */
  refuse(summary: string, problems: readonly Problem[]): HarnessDiagnostic[] {
    return coreDiagnostics(summary, this.values.declaration, problems);
  }
}

/** Returns the reason for which the provider has deferred; undefined if it has not. */
export const readDeferral = ({
  deferred,
}: {
  readonly deferred: Deferred | undefined;
}): DeferralReason | undefined =>
  deferred === undefined || deferred.reason === "UNKNOWN" ? undefined : deferred.reason;

/** Returns a problem for the first unknown value; empty when everything is known. */
export function unknownProblems(values: Values | null): Problem[] {
  const path = unknownPath(values);
  return path === undefined ? [] : [{ path, message: "the value is unknown" }];
}
