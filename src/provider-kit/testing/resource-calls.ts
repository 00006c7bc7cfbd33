import type { Values } from "../../schema/resource-rule";
import { isRecord } from "../../json/is-object";
import type { Path } from "../../schema/finding";
import type { CtyValue } from "../cty/value";
import { unknownPath, withoutUnknown } from "../plan/conformity";
import { planProblems } from "./core/plan-problems";
import type { Problem } from "./core/problem";
import { proposedState } from "./core/proposed-state";
import { resultProblems } from "./core/result-problems";
import type { WireValues } from "./wire-values";
import {
  coreDiagnostics,
  type HarnessDiagnostic,
  isError,
  readDiagnostics,
  readPath,
} from "./harness-diagnostic";
import type { ProviderCalls } from "./provider-client";

/** The answer to a plan. */
export interface CheckedPlan {
  /** Null when the plan failed. */
  readonly planned: Values | null;
  readonly private: Uint8Array;
  /** In Terraform's names. */
  readonly requiresReplace: readonly Path[];
  readonly diagnostics: readonly HarnessDiagnostic[];
}

/** What a change starts from, and what it is to come to. */
export interface Change {
  /** Null to destroy. */
  readonly config: Values | null;
  readonly prior: Values | null;
  readonly planned: Values | null;
  readonly plannedPrivate: Uint8Array;
}

/** The answer to a change. */
export interface CheckedResult {
  /** Null when nothing came back. */
  readonly state: Values | null;
  readonly private: Uint8Array;
  readonly diagnostics: readonly HarnessDiagnostic[];
}

/** Calls a provider about resources of one type, and checks its answers as Terraform's core does. */
export class ResourceCalls {
  constructor(
    readonly provider: ProviderCalls,
    readonly values: WireValues,
  ) {}

  async plan(config: Values, prior: Values | null, priorPrivate: Uint8Array): Promise<CheckedPlan> {
    const { declaration } = this.values;
    const given = this.values.fill(config);
    const proposed = proposedState(declaration, prior, given);
    const answer = await this.provider.planResourceChange({
      typeName: declaration.type,
      config: this.values.encode(given),
      priorState: this.values.encode(prior),
      proposedNewState: this.values.encode(isRecord(proposed) ? proposed : null),
      priorPrivate,
    });
    const diagnostics = readDiagnostics(answer.diagnostics);
    const failed: CheckedPlan = {
      planned: null,
      private: answer.plannedPrivate,
      requiresReplace: answer.requiresReplace.map(readPath),
      diagnostics,
    };
    if (diagnostics.some(isError)) return failed;
    const planned = this.values.decode(answer.plannedState) ?? null;
    const problems = planProblems(declaration, prior, given, planned);
    diagnostics.push(...this.refuse("Provider produced invalid plan", problems));
    return problems.length > 0 ? failed : { ...failed, planned };
  }

  async apply({ config, prior, planned, plannedPrivate }: Change): Promise<CheckedResult> {
    const { declaration } = this.values;
    const answer = await this.provider.applyResourceChange({
      typeName: declaration.type,
      config: this.values.encode(config),
      priorState: this.values.encode(prior),
      plannedState: this.values.encode(planned),
      plannedPrivate,
    });
    const diagnostics = readDiagnostics(answer.diagnostics);
    const state = this.values.decode(answer.newState) ?? null;
    if (state === null && diagnostics.some(isError)) {
      return { state, private: answer.private, diagnostics };
    }
    diagnostics.push(
      ...this.refuse("Provider returned invalid result object after apply", unknownProblems(state)),
    );
    if (planned !== null && !diagnostics.some(isError)) {
      const summary = "Provider produced inconsistent result after apply";
      diagnostics.push(...this.refuse(summary, resultProblems(declaration, planned, state)));
    }
    // A state holds nothing that is unknown, whatever a provider says.
    const known = state && (withoutUnknown(state as CtyValue) as Values);
    return { state: known, private: answer.private, diagnostics };
  }

  /** What Terraform says of an answer that it does not accept. */
  refuse(summary: string, problems: readonly Problem[]): HarnessDiagnostic[] {
    return coreDiagnostics(summary, this.values.declaration, problems);
  }
}

/** The first value that is unknown where everything must be known. */
export function unknownProblems(values: Values | null): Problem[] {
  const path = unknownPath(values);
  return path === undefined ? [] : [{ path, message: "the value is unknown" }];
}
