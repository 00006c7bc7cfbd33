import { type BodyItem, itemsIn } from "../../../core/hcl/configuration-blocks";
import type { Edit } from "../../../core/hcl/source-edits";
import type { ConfigurationFile } from "./configuration-file";
import { isParameter, readFirst } from "./first-reading";
import { type UnknownAddresses, unknownReferences } from "./unknown-references";

/** Returns the addresses of what a file in native syntax declares, such as `data.workspace_parameter.cores`. */
export const addressesOfNative = ({ items }: ConfigurationFile): readonly string[] =>
  items.flatMap((item) => addressOf(item) ?? []);

/** Returns the address of a resource or data source. */
export function addressOf({ name, labels: [of = "", label = ""] }: BodyItem): string | undefined {
  if (name === "data") return `data.${of}.${label}`;
  return name === "resource" ? `${of}.${label}` : undefined;
}

/** What is evaluated of a folder. */
export interface Evaluated {
  readonly isRoot: boolean;
  readonly isEvaluated: (type: string, name: string) => boolean;
  readonly unknown: UnknownAddresses;
  /** The names of the parameters with a `count`. */
  readonly counted: ReadonlySet<string>;
  /** The names of modules and variables that are left out. */
  readonly leftOut: {
    readonly module: ReadonlySet<string>;
    readonly variable: ReadonlySet<string>;
  };
}

/** Reduces a file in native syntax to the parts that the platform evaluates, without references to unknown values. */
export function evaluatedNative(
  { text, code, items }: ConfigurationFile,
  { isRoot, isEvaluated, unknown, counted, leftOut: names }: Evaluated,
): readonly Edit[] {
  const isLeftOut = ({ name, labels: [of = "", label = ""] }: BodyItem) =>
    leftOut.has(name) ||
    (name === "output" && isRoot) ||
    (name === "data" && !isEvaluated(of, label)) ||
    ((name === "module" || name === "variable") && names[name].has(of));
  const blocks = items.filter(({ kind }) => kind === "block");
  const kept = blocks.filter((item) => !isLeftOut(item));
  const data = kept.filter(({ name }) => name === "data");
  const ordered = kept.filter(({ name }) => name === "data" || name === "module");
  const argumentsOf = (all: readonly BodyItem[]) =>
    all.flatMap(({ start, end }) => itemsIn(text, code, start, end));
  const repeats = argumentsOf(data).filter(({ name }) => name === "count" || name === "for_each");
  const isIn = (all: readonly BodyItem[], index: number) =>
    all.some(({ from, to }) => from <= index && index < to);
  return [
    ...blocks.filter(isLeftOut).map(removed),
    // They only matter to a run of Terraform: its order, and its providers.
    ...argumentsOf(ordered)
      .filter(({ name }) => /^(?:depends_on|providers?)$/.test(name))
      .map(removed),
    ...kept
      .filter(isParameter)
      .flatMap((block) => [...readFirst(text, code, block, counted, unknown)]),
    ...unknownReferences(
      text,
      {
        kind: "expression",
        countsMachines: (index) => !isIn(data, index) || isIn(repeats, index),
      },
      unknown,
    ),
  ];
}

const removed = ({ from, to }: BodyItem): Edit => ({ start: from, end: to, text: "" });

const leftOut = new Set([
  "terraform",
  "provider",
  "resource",
  "ephemeral",
  "action",
  "check",
  "import",
  "moved",
  "removed",
]);
