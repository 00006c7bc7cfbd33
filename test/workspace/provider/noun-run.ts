import {
  createTerraformHarness,
  type HarnessDiagnostic,
  type StartedProvider,
} from "../../../src/provider-kit/testing";
import { type Declaration, type Fields, UNKNOWN } from "../../../src/schema";
import { isRecord } from "../../../src/json/is-object";
import { provider as definition } from "../../../src/workspace/provider-definition";
import type { Expected } from "../../accept/table";
import { type Args, type Noun, wireNameIn } from "../tables";
import type { Values } from "../../provider-kit/plan/planning";
import { applyIn, type Kept, planIn, type Process } from "./provider";

/** The provider's schema of a noun, used only for names and types in messages. */
export function declarationOf({ typeName }: Noun): Declaration {
  const all = [...definition.resources, ...(definition.dataSources ?? [])];
  const found = all.find(({ declaration }) => declaration.type === typeName);
  return found?.declaration ?? definition.declaration;
}

/** The arguments of a row as Terraform passes them: null for unset attributes, blocks as lists. */
export function inTerraform({ attributes, blocks = {} }: Fields, args: Args): Values {
  const element = (fields: Fields) => (value: unknown) =>
    isRecord(value) ? inTerraform(fields, value) : value;
  return Object.fromEntries([
    ...Object.keys(attributes).map((name) => [name, args[name] ?? null] as const),
    ...Object.entries(blocks).map(([name, { fields }]) => {
      const value = args[name] ?? [];
      if (value === UNKNOWN) return [name, UNKNOWN] as const;
      return [name, (Array.isArray(value) ? value : [value]).map(element(fields))] as const;
    }),
  ]);
}

export const configOf = (noun: Noun, args: Args): Values => inTerraform(declarationOf(noun), args);

/** Whether Terraform would defer a read: something is unknown, at any depth. */
export function isOpen(value: unknown): boolean {
  return value === UNKNOWN || (isRecord(value) && Object.values(value).some(isOpen));
}

export const errorsIn = (diagnostics: readonly HarnessDiagnostic[]): HarnessDiagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "ERROR");

/** `CODE path` of the errors or warnings; steps by index are kept. */
export const found = (
  diagnostics: readonly HarnessDiagnostic[],
  severity: "ERROR" | "WARNING",
): string[] =>
  diagnostics
    .filter((diagnostic) => diagnostic.severity === severity)
    .map(
      ({ detail, path }) => `${/Code: (\w+)$/.exec(detail)?.[1] ?? "?"} ${path?.join(".") ?? "-"}`,
    )
    .sort();

/** Blocks whose elements have no address in Terraform: a path ends there. */
const sets: ReadonlySet<unknown> = new Set([
  "displayApps",
  "healthcheck",
  "prebuilds",
  "resourcesMonitoring",
  "sidebarApp",
]);

/** Blocks that are allowed once, which Terraform addresses as the first element of a list. */
const lists: ReadonlySet<unknown> = new Set(["validation"]);

/** What {@link found} reports. */
export const expected = (noun: Noun, all: readonly Expected[]): string[] =>
  all.map(({ code, path }) => `${code} ${terraformPath(noun, path).join(".")}`).sort();

function terraformPath(noun: Noun, path: Expected["path"]): (string | number)[] {
  const end = path.findIndex((step) => sets.has(step));
  return (end < 0 ? path : path.slice(0, end + 1)).flatMap((step, index) => {
    if (typeof step === "number") return [step];
    const name = wireNameIn(noun, step);
    return lists.has(step) && typeof path[index + 1] === "string" ? [name, 0] : [name];
  });
}

/** Validates as Terraform does first of all. */
export async function validated(process: StartedProvider, noun: Noun, args: Args) {
  const terraform = createTerraformHarness(process);
  const declaration = declarationOf(noun);
  const config = configOf(noun, args);
  if (noun.kind === "provider") return terraform.validate(declaration, config);
  if (noun.kind === "resource") return terraform.resource(declaration).validate(config);
  return terraform.dataSource(declaration).validate(config);
}

export const readOnce = (process: Process, noun: Noun, args: Args) =>
  createTerraformHarness(process).dataSource(declarationOf(noun)).read(configOf(noun, args));

/** The phase in which Terraform shows the first error; `never` if there is none. */
export type Phase = "validate" | "plan" | "apply" | "never";

export interface Outcome {
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
  diagnostics.push(...(await validated(process, noun, args)));
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
