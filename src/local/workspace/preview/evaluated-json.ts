import { type BodyItem, itemsIn } from "../../../core/hcl/configuration-blocks";
import type { Edit } from "../../../core/hcl/source-edits";
import { isObject, type Properties } from "../../../core/json/plain-json";
import { bodiesOf, objectOf } from "../terraform/json-value";
import type { ConfigurationFile } from "./configuration-file";
import {
  boundsAsJson,
  isParameter,
  readFirst,
  type UnknownAddresses,
  unknownReferences,
  withoutReferences,
} from "./rewritten-code";

/**
 * The names of Terraform's top-level blocks. Without a schema, the platform takes a property of a JSON
 * object for a block if it has such a name, and otherwise for an attribute.
 */
const topLevelBlocks = new Set([
  "terraform",
  "required_providers",
  "provider",
  "variable",
  "locals",
  "output",
  "module",
  "resource",
  "data",
  "ephemeral",
  "moved",
  "import",
  "check",
  "removed",
]);

/** Blocks inside a data source, which the platform does not find in JSON. */
const nestedBlocks = ["option", "validation", "prebuilds"];

/**
 * Returns the addresses of resources and data sources in a JSON file, such as
 * `data.workspace_parameter.cores`.
 */
export function addressesOfJson(file: Properties): readonly string[] {
  return [
    ...labelled(file["resource"]).map(({ type, name }) => `${type}.${name}`),
    ...labelled(file["data"]).map(({ type, name }) => `data.${type}.${name}`),
  ];
}

/** Returns the parameters of a JSON file, with their names if these are literal. */
export const parametersOfJson = (file: Properties, parameter: string) =>
  labelled(file["data"])
    .filter(({ type }) => type === parameter)
    .map(({ name: label, body: { name, default: fallback = null } }) => ({
      label,
      name: typeof name === "string" && !/[$%]\{/.test(name) ? name : undefined,
      hasDefault: fallback !== null,
    }));

/** Returns the blocks of a section whose blocks have two labels. */
const labelled = (section: unknown) =>
  bodiesOf(section)
    .flatMap((types) => Object.entries(types))
    .flatMap(([type, named]) => bodiesOf(named).map((names) => [type, names] as const))
    .flatMap(([type, names]) =>
      Object.entries(names).map(([name, body]) => ({ type, name, body: objectOf(body) })),
    );

/** Returns the parts of a JSON file that the platform evaluates, without references to unknown values. */
export function evaluatedJson(
  file: Properties,
  { isRoot, isEvaluated, unknown, leftOut }: Evaluated,
): Properties {
  const known = (value: unknown) => withoutUnknown(value, unknown);
  const data = labelled(file["data"])
    .filter(({ type, name }) => isEvaluated(type, name))
    .map(({ type, name, body }) => {
      const seen = Object.entries(seenBody(body)).map(([argument, value]) => {
        const countsMachines = argument === "count" || argument === "for_each";
        return [argument, withoutUnknown(value, unknown, countsMachines)] as const;
      });
      return { [type]: { [name]: Object.fromEntries(seen) } };
    });
  const modules = bodiesOf(withoutNames(file["module"] ?? {}, leftOut.module)).flatMap((named) =>
    Object.entries(named).map(([name, body]) => {
      return { [name]: known(without(objectOf(body), ["depends_on", "providers"])) };
    }),
  );
  // Terraform refuses a section without blocks.
  const variables = bodiesOf(withoutNames(file["variable"] ?? {}, leftOut.variable)).filter(
    (named) => Object.keys(named).length > 0,
  );
  return {
    ...(variables.length === 0 ? {} : { variable: variables }),
    ...pick(file, "locals", known),
    ...(isRoot ? {} : pick(file, "output", known)),
    ...(data.length === 0 ? {} : { data }),
    ...(modules.length === 0 ? {} : { module: modules }),
  };
}

/** Returns the attributes that the platform sees: none, if one has the name of a top-level block. */
function seenBody(body: Properties): Properties {
  if (Object.keys(body).some((name) => topLevelBlocks.has(name))) return {};
  return without(body, ["depends_on", ...nestedBlocks]);
}

function without(body: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function withoutUnknown(
  value: unknown,
  addresses: UnknownAddresses,
  countsMachines = true,
): unknown {
  const within = (each: unknown) => withoutUnknown(each, addresses, countsMachines);
  if (typeof value === "string") {
    return withoutReferences(value, "template", countsMachines, addresses);
  }
  if (Array.isArray(value)) return value.map(within);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(each)]));
}

function pick(file: Properties, name: string, of: (value: unknown) => unknown): Properties {
  return file[name] === undefined ? {} : { [name]: of(file[name]) };
}

/** Returns named blocks without those of some names. */
export const withoutNames = (section: unknown, names: ReadonlySet<string>): unknown => {
  const without = (each: unknown) =>
    Object.fromEntries(Object.entries(objectOf(each)).filter(([name]) => !names.has(name)));
  return Array.isArray(section) ? section.map(without) : without(section);
};

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
      .flatMap((block) => [
        ...readFirst(text, code, block, counted, unknown),
        ...boundsAsJson(text, code, block),
      ]),
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
