import { evaluate, type Scope } from "../../../src/planner/expression/evaluate";
import { callFunction } from "../../../src/planner/expression/function";
import { terraformFunctions } from "../../../src/planner/expression/functions";
import { parseExpression } from "../../../src/planner/expression/parse";
import { EvaluationError, primitiveText, Value } from "../../../src/planner/expression/value";
import { typeToJson } from "../../../src/core/provider-kit/cty/type";
import { allTests } from "../../all-tests";
import { type Marks, type Planned, plannedByTerraform } from "./planned-by-terraform";
import { randomExpressions } from "./random-expressions";
import { pairs, typedValues } from "./typed-values";

const declarations = `locals {\n${Object.entries(typedValues)
  .map(([name, value]) => `  ${name} = ${value}\n`)
  .join("")}}`;

const call: Scope["call"] = (name, args) => {
  const fn = terraformFunctions.get(name);
  if (fn === undefined) throw new EvaluationError(`There is no function ${name}.`);
  return callFunction(name, fn, args);
};

const unknownId = Value.unknown("string", { kind: "apply", of: "terraform_data.unknown.id" });
const data = Value.object([["unknown", Value.object(new Map([["id", unknownId]]))]]);
const scopeOf = (variables: ReadonlyMap<string, Value>): Scope => ({
  variable: (name) => variables.get(name),
  call,
});
const values = Object.entries(typedValues).map(
  ([name, value]) =>
    [name, evaluate(parseExpression(value), scopeOf(new Map([["terraform_data", data]])))] as const,
);
const scope = scopeOf(new Map([["local", Value.object(values)]]));

function ownValue(expression: string): Value | undefined {
  try {
    return evaluate(parseExpression(expression), scope);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

/** Checks whether a value is sensitive wherever Terraform's is. */
function covers(value: Value | undefined, marks: Marks): boolean {
  if (value?.isSensitive === true) return true;
  if (typeof marks === "boolean") return !marks;
  if (Array.isArray(marks)) {
    return (marks as readonly Marks[]).every((each, at) => covers(value?.elements()[at], each));
  }
  return Object.entries(marks).every(([name, each]) => covers(value?.members().get(name), each));
}

/** Checks whether something is sensitive. */
const isMarked = (marks: Marks): boolean =>
  typeof marks === "boolean" ? marks : Object.values(marks).some(isMarked);

/** Checks whether what is known in a value is what Terraform plans. */
function agrees(own: Value, planned: unknown, unknown: Marks): boolean {
  if (!own.isKnown) return true;
  if (unknown === true) return false;
  const { content, type } = own;
  if (content === null || planned === null || planned === undefined) {
    return content === null && (planned === null || planned === undefined);
  }
  if (typeof content === "string" || typeof content === "boolean") return content === planned;
  if (type === "number") return Number(primitiveText(own)) === planned;
  const isOpen = !own.isWhollyKnown && typeof type === "object" && "set" in type;
  // Where an element that is not known comes in a set is not part of the value.
  if (isOpen) return true;
  const [parts, marks] = [planned as Record<string, unknown>, unknown as Record<string, Marks>];
  const names = Array.isArray(content)
    ? content.map((_, at) => String(at))
    : [...own.members().keys()];
  const mine = Array.isArray(content) ? own.elements() : [...own.members().values()];
  if (own.isWhollyKnown && Object.keys(parts).length !== mine.length) return false;
  return mine.every((part, at) => {
    const name = names[at] ?? "";
    return agrees(
      part,
      parts[name],
      typeof unknown === "boolean" ? unknown : (marks[name] ?? false),
    );
  });
}

function hasInfinite(value: Value): boolean {
  return Math.abs(Number(value.content)) === Infinity || value.parts().some(hasInfinite);
}

/** What is wrong with an own value; undefined if nothing is. */
function problem(own: Value | undefined, theirs: Planned | undefined): string | undefined {
  if (own === undefined) return theirs === undefined ? undefined : "fails here only";
  if (theirs === undefined) return own.isWhollyKnown ? "fails in Terraform only" : undefined;
  if (!covers(own, theirs.sensitive)) return `not sensitive: ${JSON.stringify(theirs.sensitive)}`;
  if (!agrees(own, theirs.value, theirs.unknown)) return `is ${JSON.stringify(theirs)}`;
  // A plan keeps no types of null.
  const isTyped = own.isWhollyKnown && theirs.type !== undefined && !own.isNull;
  if (!isTyped || typeToJson(own.type) === typeToJson(theirs.type)) return undefined;
  return `has the type ${typeToJson(theirs.type)}`;
}

/** Compares in pieces, so that a plan does not get too large. */
function compare(expressions: readonly string[]) {
  const problems: string[] = [];
  let [marked, failing, open] = [0, 0, 0];
  for (let from = 0; from < expressions.length; from += 2_000) {
    // Plans in JSON have no infinite numbers.
    const piece = expressions.slice(from, from + 2_000).flatMap((text) => {
      const own = ownValue(text);
      return own !== undefined && hasInfinite(own) ? [] : [{ text, own }];
    });
    const planned = plannedByTerraform(
      declarations,
      piece.map(({ text }) => text),
    );
    for (const [at, { text, own }] of piece.entries()) {
      const theirs = planned[at];
      if (theirs !== undefined && isMarked(theirs.sensitive)) marked += 1;
      if (theirs === undefined || own === undefined) failing += 1;
      else if (!own.isWhollyKnown && !isMarked(theirs.unknown)) open += 1;
      const found = problem(own, theirs);
      if (found !== undefined) problems.push(`${text}: ${found}`);
    }
  }
  return { problems, marked, failing, open };
}

const always = [
  'local.unknownBool ? local.secret : "x"',
  'false ? local.secret : "x"',
  'true ? "x" : local.secretNumber',
  'local.unknownBool ? { a = local.secret } : { a = "x" }',
  '"a%{ if false }${local.secret}%{ endif }"',
  '"a%{ if local.unknownBool }${local.secret}%{ endif }"',
  "local.unknownMap == local.objectOfSecrets",
  "local.unknown == local.objectOfSecrets",
  "{ for k in [local.unknown, local.secret] : k => 1 }",
  "[for k in [local.unknown, local.secret] : k if k == local.secret]",
  'false ? "${local.secret}${[1][5]}" : "y"',
  'false ? "${[for x in local.secretList : x.nope][0]}" : "y"',
  "[for x in local.unknownSet : x if x == local.secret]",
  'local.unknownBool ? "${[][0] ? local.secret : local.secret}" : "y"',
  "true ? local.unsorted : toset([])",
  'join(",", false ? toset([]) : local.unsorted)',
  "length(local.unknown[*])",
  "tolist(toset([local.unknown, local.secret]))",
  "local.nullList[*]",
  "[for x in local.setWithNull : x]",
  "1 / 0 > 5",
  "coalesce(1, 0.1 / 0)",
  'local.unknownBool ? local.emptyTexts[0] : "b"',
  'local.unknownBool ? regex("z", "a") : "b"',
  "one(toset([local.unknown, local.hidden]))",
  "merge([local.object, { c = 1 }].*...)",
  "max([1, 2].*...)",
  "setunion(local.emptyTexts, [10, 9])",
  "distinct(local.emptyNumbers)",
  "local.emptyObject == local.emptyMap",
  "tolist([{}, null])",
];

// TRIVET_RANDOM_SEED=7 compares others; `npm test -- --all` compares all pairs.
const seed = Number(process.env["TRIVET_RANDOM_SEED"] ?? 40);

test("random expressions have Terraform's values, types and marks", () => {
  const count = allTests ? 5_000 : 150;
  const found = compare([...always, ...randomExpressions(count, seed)]);
  expect(found.problems).toEqual([]);
  // Otherwise, it would compare nothing.
  expect(found.marked).toBeGreaterThan(count / 5);
  expect(found.failing).toBeLessThan(0.7 * count);
  expect(found.open).toBeLessThan(count / 20);
}, 3_600_000);

test("pairs of values have Terraform's values, types and marks in every operation", () => {
  // A prime step, so that all operations and values take part.
  const sample = pairs().filter((_, at) => allTests || at % 1511 === seed);
  expect(compare(sample).problems).toEqual([]);
}, 3_600_000);
