import { UNKNOWN } from "../../src/core/schema";
import type { AcceptanceRow, BuildRow, Expected } from "./table";
import type { Args, Kind, Kinds } from "./noun";

type At = Expected["path"];

export const invalid = (...path: At): Expected => ({ code: "INVALID_ARGUMENT", path });
export const missing = (...path: At): Expected => ({ code: "MISSING", path });
export const conflict = (...path: At): Expected => ({ code: "CONFLICT", path });
export const needs = (...path: At): Expected => ({ code: "REQUIRES", path });
export const wrongType = (...path: At): Expected => ({ code: "WRONG_TYPE", path });
export const unknownProperty = (...path: At): Expected => ({ code: "UNKNOWN_PROPERTY", path });
export const advice = (...path: At): Expected => ({ code: "ADVICE", path });
export const deprecated = (...path: At): Expected => ({ code: "DEPRECATED", path });

/** Writes rows of one table: each on top of the base. */
export function rowsOn(base: Args) {
  return {
    accepts: (name: string, args: object): AcceptanceRow => ({
      name: `accepts ${name}`,
      args: { ...base, ...args },
      errors: [],
    }),
    refuses: (name: string, args: object, ...errors: Expected[]): AcceptanceRow => ({
      name: `refuses ${name}`,
      args: { ...base, ...args },
      errors,
    }),
    warns: (name: string, args: object, ...warnings: Expected[]): AcceptanceRow => ({
      name: `warns of ${name}`,
      args: { ...base, ...args },
      errors: [],
      warnings,
    }),
    build: (
      name: string,
      args: object,
      environment: BuildRow["environment"],
      rest: Omit<BuildRow, "name" | "args" | "environment">,
    ): BuildRow => ({ name, args: { ...base, ...args }, environment, ...rest }),
  };
}

export const onConstruct = (rows: readonly AcceptanceRow[]): AcceptanceRow[] =>
  rows.map((row) => ({ ...row, on: "construct" }));

export const onProvider = (rows: readonly AcceptanceRow[]): AcceptanceRow[] =>
  rows.map((row) => ({ ...row, on: "provider" }));

/** What a table is made from. */
interface Subject {
  readonly base: Args;
  readonly inputs: Kinds;
  readonly outputs?: Kinds;
  /** Inputs without which there is nothing. */
  readonly required?: readonly string[];
  /** One accepted element of each block. */
  readonly samples?: Args;
  /** Other arguments that an input requires. */
  readonly beside?: Readonly<Record<string, Args>>;
  /** Strings that a construct also accepts instead of the value that they represent. @default none */
  readonly natural?: readonly string[];
}

/** What applies to every input because of its kind: it may be unknown, and must be of its type. */
export function rowsByKind(subject: Subject): readonly AcceptanceRow[] {
  const { base, inputs, outputs = {}, required = [], beside = {}, natural = [] } = subject;
  const { accepts, refuses } = rowsOn(base);
  const plain = Object.keys(inputs).filter((name) => typeof inputs[name] === "string");
  return [
    ...required.map((name) => refuses(`no ${name}`, { [name]: undefined }, missing(name))),
    ...plain.map((name) => accepts(`an unknown ${name}`, { [name]: UNKNOWN })),
    accepts(
      "arguments that are all unknown",
      Object.fromEntries(plain.map((name) => [name, UNKNOWN])),
    ),
    ...blocksOf(inputs).flatMap((name) => rowsOfBlock(subject, name)),
    ...Object.entries(outputs).map(([name, kind]) =>
      refuses(`the output ${name} as an input`, { [name]: example(kind) }, unknownProperty(name)),
    ),
    ...Object.entries(inputs).flatMap(([name, kind]) =>
      kind === "number"
        ? [refuses(`a fraction as the ${name}`, { [name]: 1.5 }, wrongType(name))]
        : [],
    ),
    ...onConstruct([
      ...Object.entries(inputs)
        .filter(([name]) => !natural.includes(name))
        .map(([name, kind]) =>
          refuses(
            `a wrong type of the ${name}`,
            { ...beside[name], [name]: wrong(kind) },
            wrongType(name),
          ),
        ),
      ...Object.entries(inputs)
        .filter(([, kind]) => kind === "map")
        .map(([name]) =>
          refuses(`a number in the ${name}`, { [name]: { a: 1 } }, wrongType(name, "a")),
        ),
      refuses("an input that there is not", { colour: "red" }, unknownProperty("colour")),
    ]),
  ];
}

function rowsOfBlock(
  { base, inputs, samples = {}, natural = [] }: Subject,
  name: string,
): AcceptanceRow[] {
  const { accepts, refuses } = rowsOn(base);
  const kind = inputs[name];
  if (typeof kind !== "object") return [];
  const isOnce = "block" in kind;
  const fields = isOnce ? kind.block : kind.blocks;
  const sample = samples[name] as Args;
  const once = (element: Args): Args => ({ [name]: isOnce ? element : [element] });
  const at = (field: string): At => (isOnce ? [name, field] : [name, 0, field]);
  const plain = Object.entries(fields).filter(([, each]) => typeof each === "string");
  return [
    accepts(`a sample of ${name}`, once(sample)),
    ...onProvider([accepts(`${name} that are not known yet`, { [name]: UNKNOWN })]),
    ...plain.map(([field]) =>
      accepts(`an unknown ${field} in ${name}`, once({ ...sample, [field]: UNKNOWN })),
    ),
    ...plain.flatMap(([field, each]) =>
      each === "number"
        ? [
            refuses(
              `a fraction as the ${field} in ${name}`,
              once({ ...sample, [field]: 1.5 }),
              wrongType(...at(field)),
            ),
          ]
        : [],
    ),
    ...onConstruct([
      ...plain
        .filter(([field]) => !natural.includes(`${name}.${field}`))
        .map(([field, each]) =>
          refuses(
            `a wrong type of the ${field} in ${name}`,
            once({ ...sample, [field]: wrong(each) }),
            wrongType(...at(field)),
          ),
        ),
      refuses(
        `a field that ${name} do not have`,
        once({ ...sample, colour: "red" }),
        unknownProperty(...at("colour")),
      ),
    ]),
  ];
}

const blocksOf = (inputs: Kinds): string[] =>
  Object.keys(inputs).filter((name) => typeof inputs[name] === "object");

function example(kind: Kind): unknown {
  if (kind === "number") return 1;
  if (kind === "bool") return true;
  if (kind === "list") return [];
  return kind === "map" ? {} : "x";
}

function wrong(kind: Kind): unknown {
  if (kind === "number") return "7";
  if (kind === "bool") return "yes";
  if (kind === "list" || kind === "map" || typeof kind === "object") return "one";
  return 7;
}
