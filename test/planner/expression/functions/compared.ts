import { callFunction } from "../../../../src/planner/expression/function";
import { convert } from "../../../../src/planner/expression/convert";
import { terraformFunctions } from "../../../../src/planner/expression/functions";
import { jsonText } from "../../../../src/planner/expression/functions/json";
import { EvaluationError, Value } from "../../../../src/planner/expression/value";
import { typeToJson } from "../../../../src/core/provider-kit/cty/type";
import { type CtyType, parseNumber } from "../../../../src/core/provider-kit/values";
import { evaluatedByTerraform } from "../terraform-console";

/** An argument: a value, and the expression that has it. */
export class Argument {
  constructor(
    readonly hcl: string,
    readonly value: Value,
  ) {}
}

/** What stands for an argument in a table: arrays are tuples, and records objects. */
export type Given =
  | null
  | boolean
  | number
  | string
  | Argument
  | readonly Given[]
  | { readonly [name: string]: Given };

function quoted(text: string): string {
  const inside = text
    .replace(/["\\]/g, "\\$&")
    .replace(/[^ -~]/gu, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
    })
    .replace(/([$%])\{/g, "$1$1{");
  return `"${inside}"`;
}

export function argument(given: Given): Argument {
  if (given instanceof Argument) return given;
  if (given === null) return new Argument("null", Value.null());
  if (typeof given === "boolean") return new Argument(String(given), Value.bool(given));
  if (typeof given === "string") return new Argument(quoted(given), Value.string(given));
  if (typeof given === "number") return number(String(given));
  if (Array.isArray(given)) {
    const parts = (given as readonly Given[]).map(argument);
    const hcl = `[${parts.map((part) => part.hcl).join(", ")}]`;
    return new Argument(hcl, Value.tuple(parts.map((part) => part.value)));
  }
  const members = Object.entries(given).map(([name, each]) => [name, argument(each)] as const);
  const hcl = `{${members.map(([name, each]) => `${quoted(name)} = ${each.hcl}`).join(", ")}}`;
  return new Argument(hcl, Value.object(members.map(([name, { value }]) => [name, value])));
}

/** A number that JavaScript would round. */
export const number = (text: string): Argument =>
  new Argument(text, Value.number(parseNumber(text)));

const converted = (name: string, type: CtyType, given: Given): Argument => {
  const { hcl, value } = argument(given);
  return new Argument(`${name}(${hcl})`, convert(value, type));
};

export const list = (...elements: readonly Given[]): Argument =>
  converted("tolist", { list: "dynamic" }, elements);

export const set = (...elements: readonly Given[]): Argument =>
  converted("toset", { set: "dynamic" }, elements);

export const map = (members: Readonly<Record<string, Given>>): Argument =>
  converted("tomap", { map: "dynamic" }, members);

/** Calls of functions: for each the lists of arguments. */
type Calls = Readonly<Record<string, readonly (readonly Given[])[]>>;

/** Calls a function with values. */
export function called(name: string, ...args: readonly Value[]): Value {
  const fn = terraformFunctions.get(name);
  if (fn === undefined) throw new Error(`there is no function ${name}`);
  return callFunction(name, fn, args);
}

function result(name: string, args: readonly Argument[]): string {
  try {
    const value = called(name, ...args.map((each) => each.value));
    return value.isWhollyKnown ? `${typeToJson(value.type)} [${jsonText(value)}]` : "unknown";
  } catch (error) {
    if (error instanceof EvaluationError) return "error";
    throw error;
  }
}

/**
 * Compares calls with what `terraform` makes of them: value, type and failure.
 *
 * @returns the calls whose results are not computed
 */
export function comparedWithTerraform(calls: Calls): readonly string[] {
  const all = Object.entries(calls).flatMap(([name, rows]) =>
    rows.map((row) => {
      const args = row.map(argument);
      return { name, args, hcl: `${name}(${args.map(({ hcl }) => hcl).join(", ")})` };
    }),
  );
  const expected = evaluatedByTerraform(all.map(({ hcl }) => hcl));
  const open: string[] = [];
  const differences: string[] = [];
  all.forEach(({ name, args, hcl }, at) => {
    const own = result(name, args);
    const other = expected[at];
    const theirs = other === undefined ? "error" : `${typeToJson(other.type)} ${other.json}`;
    if (own === "unknown") open.push(hcl);
    else if (own !== theirs) differences.push(`${hcl}\n  here      ${own}\n  terraform ${theirs}`);
  });
  expect(differences.join("\n")).toBe("");
  return open;
}
