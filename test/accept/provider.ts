import {
  createTerraformHarness,
  type HarnessDiagnostic,
  type StartedProvider,
} from "../../src/core/provider-kit/testing";
import { readDetail } from "../../src/core/schema/finding-text";
import { isRecord } from "../../src/core/json/plain-json";
import { type Declaration, type Fields, UNKNOWN } from "../../src/core/schema";
import type { Values } from "../core/provider-kit/plan/planning";
import { type Args, type Noun, wireNameIn } from "./noun";
import type { AcceptanceRow, Expected } from "./table";
import { kindOf } from "./warning-kind";

interface Declared {
  readonly declaration: Declaration;
}

interface Definition extends Declared {
  readonly resources: readonly Declared[];
  readonly dataSources?: readonly Declared[] | undefined;
}

/** The declaration of a noun. Only names and types are taken from it, to write messages. */
export function declarationIn(definition: Definition, { typeName }: Noun): Declaration {
  const all = [...definition.resources, ...(definition.dataSources ?? [])];
  const own = all.find(({ declaration }) => declaration.type === typeName);
  return (own ?? definition).declaration;
}

/** The arguments of a row as Terraform passes them: null for unset attributes, repeatable blocks as lists. */
export function inTerraform({ attributes, blocks = {} }: Fields, args: Args): Values {
  const element = (fields: Fields) => (value: unknown) =>
    isRecord(value) ? inTerraform(fields, value) : value;
  return Object.fromEntries([
    ...Object.keys(attributes).map((name) => [name, args[name] ?? null] as const),
    ...Object.entries(blocks).map(([name, { nesting, fields }]) => {
      if (nesting === "single") return [name, element(fields)(args[name] ?? null)] as const;
      const value = args[name] ?? [];
      if (value === UNKNOWN) return [name, UNKNOWN] as const;
      return [name, (Array.isArray(value) ? value : [value]).map(element(fields))] as const;
    }),
  ]);
}

/** Validates as Terraform does first of all. */
export function validated(
  process: StartedProvider,
  declaration: Declaration,
  noun: Noun,
  args: Args,
): Promise<readonly HarnessDiagnostic[]> {
  const terraform = createTerraformHarness(process);
  const config = inTerraform(declaration, args);
  if (noun.kind === "provider") return terraform.validate(declaration, config);
  if (noun.kind === "resource") return terraform.resource(declaration).validate(config);
  return terraform.dataSource(declaration).validate(config);
}

/** `CODE path` of each error or warning, sorted; steps by index are kept. */
export const found = (
  diagnostics: readonly HarnessDiagnostic[],
  severity: "ERROR" | "WARNING",
): string[] =>
  diagnostics
    .filter((diagnostic) => diagnostic.severity === severity)
    .map(
      ({ detail, path }) => `${kindOf(readDetail(detail).code ?? "?")} ${path?.join(".") ?? "-"}`,
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

/** Expects the findings of a row, and no other errors. */
export function expectFindings(
  diagnostics: readonly HarnessDiagnostic[],
  noun: Noun,
  { errors, warnings = [] }: Pick<AcceptanceRow, "errors" | "warnings">,
): void {
  expect(found(diagnostics, "ERROR")).toEqual(expected(noun, errors));
  const shown = found(diagnostics, "WARNING");
  for (const warning of expected(noun, warnings)) expect(shown).toContain(warning);
}
