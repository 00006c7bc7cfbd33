import {
  createTerraformHarness,
  type HarnessDiagnostic,
} from "../../../../src/core/provider-kit/testing";
import { type Declaration, UNKNOWN } from "../../../../src/core/schema";
import { isRecord } from "../../../../src/core/json/plain-json";
import { provider as definition } from "../../../../src/core/workspace/provider-definition";
import { declarationIn, inTerraform, validated } from "../../../accept/provider";
import type { Args, Noun } from "../tables";
import type { Values } from "../../provider-kit/plan/planning";
import { applyIn, type Kept, planIn, type Process } from "./provider";

/** The declaration of a noun. */
export const declarationOf = (noun: Noun): Declaration => declarationIn(definition, noun);

export const configOf = (noun: Noun, args: Args): Values => inTerraform(declarationOf(noun), args);

/** Whether Terraform would defer a read: something is unknown, at any depth. */
export function isOpen(value: unknown): boolean {
  return value === UNKNOWN || (isRecord(value) && Object.values(value).some(isOpen));
}

export const errorsIn = (diagnostics: readonly HarnessDiagnostic[]): HarnessDiagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "ERROR");

export const readOnce = (process: Process, noun: Noun, args: Args) =>
  createTerraformHarness(process).dataSource(declarationOf(noun)).read(configOf(noun, args));

/** The phase in which Terraform shows the first error; `never` if there is none. */
type Phase = "validate" | "plan" | "apply" | "never";

interface Outcome {
  readonly phase: Phase;
  /** Of all phases that ran. */
  readonly diagnostics: readonly HarnessDiagnostic[];
  readonly state: Values | null;
  readonly replaces: readonly unknown[];
  readonly kept: Kept | undefined;
}

/** Validates, and then plans and applies, or reads. */
export async function carriedOut(
  process: Process,
  noun: Noun,
  args: Args,
  before?: Kept,
): Promise<Outcome> {
  const diagnostics: HarnessDiagnostic[] = [];
  const outcome = (phase: Phase, rest: Partial<Outcome> = {}): Outcome => ({
    phase,
    diagnostics,
    state: null,
    replaces: [],
    kept: undefined,
    ...rest,
  });
  const hasFailed = (): boolean => errorsIn(diagnostics).length > 0;
  diagnostics.push(...(await validated(process, declarationOf(noun), noun, args)));
  if (hasFailed()) return outcome("validate");
  diagnostics.push(...process.configured);
  if (hasFailed()) return outcome("plan");
  if (noun.kind === "provider") return outcome("never");
  if (noun.kind === "data source") {
    const read = await readOnce(process, noun, args);
    diagnostics.push(...read.diagnostics);
    return outcome(hasFailed() ? "plan" : "never", { state: read.state });
  }
  const declaration = declarationOf(noun);
  const plan = await planIn(process, declaration, configOf(noun, args), before);
  diagnostics.push(...plan.diagnostics);
  if (hasFailed() || plan.planned === null) return outcome("plan");
  const { stored: kept, diagnostics: applying } = await applyIn(process, declaration, plan);
  diagnostics.push(...applying);
  const { replaces } = plan;
  if (hasFailed() || kept === undefined) return outcome("apply", { replaces });
  return outcome("never", { state: kept.state, replaces, kept });
}
