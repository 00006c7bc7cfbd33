import { TerraformStack, TerraformVariable, Testing, Token } from "cdktf";
import { checkValues } from "../../../../src/core/construct";
import { literalText, literalValues } from "../../../../src/core/construct/check/check-values";
import { optional, resource, rule, t, stringRule, UNKNOWN } from "../../../../src/core/schema";

const variable = new TerraformVariable(new TerraformStack(Testing.app(), "Demo"), "variable", {});

test.each([
  ["$${HOME}", "${HOME}"],
  ["100%%{time}", "100%{time}"],
  ["$$${x}", "$${x}"],
  ["$$ {", "$$ {"],
  ["$$", "$$"],
  ["%${x}", "%${x}"],
])("Terraform reads %s as %s", (written, read) => {
  expect(literalText(written)).toBe(read);
});

test("tokens are unknown, at any depth", () => {
  const values = {
    text: variable.stringValue,
    half: `$\${a}-${variable.stringValue}`,
    map: { "$${a}": "$${b}", b: variable.stringValue, "${var.x}": "c" },
    list: ["$${a}", Token.asAny("x")],
    number: variable.numberValue,
    flag: false,
  };
  expect(literalValues(values)).toEqual({
    text: UNKNOWN,
    half: UNKNOWN,
    map: { "${a}": "${b}", b: UNKNOWN },
    list: ["${a}", UNKNOWN],
    number: UNKNOWN,
    flag: false,
  });
});

describe("rules check what Terraform reads", () => {
  const short = rule("must be short", (z) => z.string().check(z.maxLength(3)));
  const declaration = resource("test_thing", {
    doc: "",
    attributes: {
      text: optional(t.string(short), { doc: "" }),
      word: optional(t.string(stringRule([[/^\$\{/, "must be a template"]])), { doc: "" }),
      amount: optional(t.number(), { doc: "" }),
    },
  });
  const codes = (args: Readonly<Record<string, unknown>>): unknown[] =>
    checkValues(declaration, args).map(({ code, path, message }) => [code, ...path, message]);

  test("an escape does not count", () => {
    expect(codes({ text: "$${a", word: "$${b}" })).toEqual([]);
  });

  test("a refused string is shown as Terraform reads it", () => {
    expect(codes({ text: "$${ab" })).toEqual([
      ["INVALID_ARGUMENT", "text", expect.stringContaining('(got "${ab")')],
    ]);
  });

  test("an escaped expression is a literal string", () => {
    expect(codes({ text: "$${var.x}" })).toEqual([
      ["INVALID_ARGUMENT", "text", expect.stringContaining('(got "${var.x}")')],
    ]);
  });

  test("tokens, and misused ones next to them, are left out", () => {
    expect(codes({ word: "$${b}", text: variable.stringValue })).toEqual([]);
    expect(codes({ word: "$${b}", text: "${HOME}" }).map((each) => (each as string[])[0])).toEqual([
      "LITERAL_INTERPOLATION",
    ]);
  });
});
