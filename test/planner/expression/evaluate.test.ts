import { evaluate, type Scope } from "../../../src/planner/expression/evaluate";
import { parseExpression, parseTemplate } from "../../../src/planner/expression/parse";
import { EvaluationError, Value } from "../../../src/planner/expression/value";
import { sameType } from "../../../src/planner/expression/types";
import { plainValue } from "../../../src/planner/offline-plan/plan-json";
import { evaluatedByTerraform } from "./terraform-console";

const scope: Scope = {
  variable: () => undefined,
  call: (name) => {
    throw new EvaluationError(`There is no function ${name}.`);
  },
};

const expressions = [
  "1 + 2 * 3 - 4 / 2 % 3",
  "(1 + 2) * 3",
  "-3 + - -2",
  "!true || false && true",
  "!(1 == 2) && 3 != 4",
  "1 < 2",
  "2 <= 2",
  "3 > 4",
  '"2" + 3',
  '"a" == "a"',
  '1 == "1"',
  'true == "true"',
  "null == null",
  "[1, 2] == [1, 2]",
  "{ a = 1 } == { a = 1 }",
  "[] == {}",
  "true ? 1 : 2",
  'false ? 1 : "two"',
  'true ? null : "x"',
  "true ? [1] : [1, 2]",
  'true ? { a = 1 } : { b = "x" }',
  'true ? [] : ["a"]',
  "true ? 1 : true",
  '"x" ? 1 : 2',
  "null ? 1 : 2",
  '[1, "a", true, null]',
  "[1, 2,]",
  '{ a = 1, "b_c" = 2, (1 == 1) = 3 }',
  "{ a : 1, b : 2 }",
  '{ "a_${1 + 1}" = 3 }',
  "{ a = 1\n  b = 2 }",
  "{}.a",
  '{ a = { b = [1, 2, { c = "deep" }] } }.a.b[2].c',
  '{ a = { b = [1, 2] } }["a"].b.1',
  "[10, 20][1]",
  '[10, 20]["1"]',
  "[10, 20][2]",
  "[10, 20][-1]",
  "[{ a = 1 }, { a = 2 }][*].a",
  "[{ a = 1 }, { a = 2 }].*.a",
  "[[1, 2], [3]][*][0]",
  "[{ a = [1, 2] }, { a = [3] }].*.a[0]",
  '"one"[*]',
  "null[*]",
  "{ a = 1 }[*].a",
  "[for x in [1, 2, 3] : x * 2 if x != 2]",
  '[for i, x in ["a", "b"] : "${i}=${x}"]',
  "{ for k, v in { b = 1, a = 2 } : k => v + 1 }",
  '{ for x in ["a", "b", "a"] : x => 1... }',
  '{ for x in ["a", "a"] : x => 1 }',
  '[for k, v in { "ä" = 1, "z" = 2, "Z" = 3 } : k]',
  "[for x in [[1, 2], [3]] : [for y in x : y]]",
  '[for x in "text" : x]',
  "[for x in null : x]",
  '"plain"',
  '"tab\\tquote\\"backslash\\\\newline\\n\\u00e4\\U0001F600"',
  '"$${escaped} %%{escaped}"',
  '"a${1 + 1}b${true}c${"inner ${2}"}"',
  '"${[1]}"',
  '"${null}"',
  '"x${null}"',
  '"x${[1]}"',
  '"%{ if true }yes%{ else }no%{ endif }"',
  '"%{ if false }yes%{ endif }"',
  '"%{ for x in [1, 2] }${x},%{ endfor }"',
  '"  ${~ 1 ~}  "',
  '"a %{~ if true ~} b %{~ endif ~} c"',
  '"%{ for k, v in { a = 1 } }${k}${v}%{ endfor }"',
  "1e3",
  "1.50",
  "0.1 + 0.2",
  "12345678901234567890 + 1",
  "10 % 4",
  "0 / 0",
  "5 % 0",
  '"abc" + 1',
  "true + 1",
  "try([1][5], [1][0])",
  "can([1][5])",
  "can([1][0])",
  "(1 // two\n)",
  "1 /* three */ + 1",
  '[<<EOT\nheredoc ${1 + 1} \\n "q"\n  b\nEOT\n][0]',
  '[<<-EOT\n    a\n      ${"b"}\n\n    c\n  EOT\n][0]',
  '"$"',
  '"$$"',
  '"100%"',
  '"$${a}$$${1}"',
];

const invalid = [
  "a b",
  "[1, 2",
  "{ a = }",
  "1 +",
  '"open',
  "`",
  "1..2",
  "x.",
  "[for x in [1] x]",
  '"%{ if true }open"',
  '"%{ endif }"',
];

test("evaluates as Terraform does", () => {
  const expected = evaluatedByTerraform(expressions);
  const different = expressions.flatMap((text, at) => {
    const their = expected[at];
    const our = outcome(text);
    if (our === undefined || their === undefined) {
      return our === undefined && their === undefined ? [] : [[text, our?.content, their?.json]];
    }
    const isSame =
      JSON.stringify(sorted([plainValue(our)])) ===
        JSON.stringify(sorted(JSON.parse(their.json))) &&
      (our.isNull || sameType(our.type, their.type));
    return isSame
      ? []
      : [[text, plainValue(our), JSON.stringify(our.type), their.json, JSON.stringify(their.type)]];
  });
  expect(different).toEqual([]);
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
};

function outcome(text: string): Value | undefined {
  try {
    return evaluate(parseExpression(text), scope);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}

test.each(invalid)("refuses %s, and says where", (text) => {
  expect(() => parseExpression(text)).toThrow(/at character \d+$/);
});

test("refuses an expression that is nested too deeply", () => {
  expect(() => parseExpression("(".repeat(100_000))).toThrow("nested deeper than 150 levels");
  expect(() => parseExpression("-".repeat(100_000))).toThrow("nested deeper than 150 levels");
  expect(() => parseTemplate('${"'.repeat(100_000))).toThrow("nested deeper than 150 levels");
});

describe("values that are not known", () => {
  const unknown = Value.unknown("string", { kind: "apply", of: "a.b.c" });
  const withUnknown: Scope = {
    ...scope,
    variable: (name) => ({ x: unknown, s: secret })[name],
  };
  const secret = Value.string("hidden").marked(true);
  const result = (text: string): Value => evaluate(parseExpression(text), withUnknown);

  test.each([
    ['"a-${x}"', "string"],
    ['x == "a"', "bool"],
    ["[x][0]", "string"],
    ["x ? 1 : 2", "number"],
    ['true ? x : "a"', "string"],
    ["[for y in [1] : x][0]", "string"],
    ["-x", "number"],
    ["x < 3", "bool"],
    ["x && true", "bool"],
  ])("%s is not known, and says why", (text, type) => {
    const value = result(text);
    expect([value.isKnown, value.type]).toEqual([false, type]);
    expect(value.reasons()).toEqual([{ kind: "apply", of: "a.b.c" }]);
  });

  test("the chosen result of a condition is known", () => {
    expect(result('false ? x : "a"').content).toBe("a");
    expect(result("{ a = 1, b = x }.a").content).toBe(1);
  });

  test.each(['"a-${s}"', 's == "x"', "[s][0]", "(s[*])[0]", "{ a = s }.a", 's == "x" ? 1 : 2'])(
    "%s stays sensitive",
    (text) => {
      expect(result(text).isSensitive).toBe(true);
    },
  );

  test("a part of a collection does not make the others sensitive", () => {
    expect(result("{ a = s, b = 1 }.b").isSensitive).toBe(false);
    expect(result("[s, 1][1]").isSensitive).toBe(false);
  });

  test("errors contain no values", () => {
    expect(() => result("s + 1")).toThrow(/^a number is required$/);
  });
});

test("leaves open what depends on the version of Terraform", () => {
  const texts = [
    "false && [][0]",
    "true || [][0]",
    "false && null",
    "true && [][0]",
    "[][0] && false",
    'convert("1", list(number))',
  ];
  const results = texts.map((text) => {
    const found = outcome(text);
    return found === undefined
      ? "fails"
      : found
          .reasons()
          .map(({ of }) => of)
          .join();
  });
  const version = "the version of Terraform";
  expect(results).toEqual([version, version, version, "fails", "fails", version]);
});
