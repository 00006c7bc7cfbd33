import { Fn, Op, TerraformStack, TerraformVariable, Testing, Token } from "cdktf";
import { checkValues } from "../../../../src/core/construct";
import { optional, resource, t } from "../../../../src/core/schema";

const declaration = resource("test_thing", {
  doc: "",
  attributes: {
    text: optional(t.string(), { doc: "" }),
    number: optional(t.number(), { doc: "" }),
    list: optional(t.list(t.string()), { doc: "" }),
    numbers: optional(t.list(t.number()), { doc: "" }),
    map: optional(t.map(t.string()), { doc: "" }),
    secret: optional(t.string(), { doc: "", sensitive: true }),
  },
});

const stack = new TerraformStack(Testing.app(), "Demo");
const variable = new TerraformVariable(stack, "variable", {});
const text = variable.stringValue;
const number = variable.numberValue;
const list = variable.listValue;
const numbers = Token.asNumberList(variable.value);
const map = Token.asStringMap(variable.value);
const numberMap = Token.asNumberMap(variable.value);
const anyMap = Token.asAnyMap(variable.value);

const at = (record: object, index: number): unknown => Object.values(record)[index] as unknown;

const codes = (args: Readonly<Record<string, unknown>>): unknown[] =>
  checkValues(declaration, args).map(({ code, path }) => [code, ...path]);

/** What JavaScript did, the property that got the result, and a part of the fix. */
const misuses: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["a number token inside a text", { text: `port ${number}` }, "Token.asString"],
  ["a number token after a dash", { text: `port-${number}` }, "Token.asString"],
  ["a number token that is the whole text", { text: String(number) }, "Token.asString"],
  ["a number token inside a text of a list", { list: ["a", `port ${number}`] }, "Token.asString"],
  ["a number token times two", { number: number * 2 }, "Op.mul"],
  ["a number token times ten", { number: number * 10 }, "Op.mul"],
  ["a number token times 1000", { number: number * 1000 }, "Op.mul"],
  ["a number token halved", { number: number / 2 }, "Op.mul"],
  ["a number token divided by three", { number: number / 3 }, "Op.mul"],
  ["a negated number token", { number: -number }, "Op.mul"],
  ["two number tokens added", { number: number + number }, "Op.mul"],
  ["the placeholder of a map of texts", { text: at(map, 0) }, "Fn.lookup"],
  ["the placeholder of a map of anything", { text: at(anyMap, 0) }, "Fn.lookup"],
  ["the placeholder of a map of numbers", { number: at(numberMap, 0) }, "Fn.lookup"],
  ["the key of a map token", { text: Object.keys(map)[0] }, "Fn.keys"],
  ["the first element of a list token", { text: list[0] }, "Fn.element"],
  ["the first element of a list token of numbers", { number: numbers[0] }, "Fn.element"],
  ["a list token inside a text", { text: `all: ${String(list)}` }, "Fn.join"],
  ["a spread list token", { list: [...list, "x"] }, "Fn.concat"],
  ["a spread list token at the end", { list: ["x", ...list] }, "Fn.concat"],
  ["a spread list token of numbers", { numbers: [...numbers, 1] }, "Fn.concat"],
  ["a spread map token", { map: { ...map, a: "x" } }, "Fn.merge"],
  ["a string token in uppercase", { text: text.toUpperCase() }, "Fn.upper"],
  ["a text token in lowercase", { text: text.toLowerCase() }, "Fn.upper"],
  ["a text token without its start", { text: text.slice(2) }, "Fn.substr"],
  ["a text token without its end", { text: text.slice(0, -1) }, "Fn.substr"],
  ["the first characters of a string token", { text: text.slice(0, 8) }, "Fn.substr"],
  ["the middle of a text token", { text: text.slice(2, -2) }, "Fn.substr"],
];

describe("a misused token is reported with its fix", () => {
  test.each(misuses)("%s", (_name, args, fix) => {
    const [finding, ...others] = checkValues(declaration, args);
    expect(finding).toMatchObject({ code: "TOKEN_MISUSE", severity: "error" });
    expect(finding?.path[0]).toBe(Object.keys(args)[0]);
    expect(finding?.message).toContain(fix);
    expect(others).toEqual([]);
  });
});

/** The right way, or a value that only looks like a token. */
const twins: readonly (readonly [string, Record<string, unknown>])[] = [
  ["a number token as a text", { text: `port-${Token.asString(number)}` }],
  ["a number token", { number }],
  ["a calculated number", { number: Token.asNumber(Op.mul(number, 2)) }],
  ["a number token plus one, which is the token itself", { number: number + 1 }],
  ["a real number below -1e280", { number: -1e290 }],
  ["a real number near the tokens", { number: -8.2e298 }],
  ["a real number as large as they come", { number: -Number.MAX_VALUE }],
  ["a real large number", { number: 1e300 }],
  ["a real number in a text", { text: "between -8.2e+298 and 8.1e+298" }],
  ["a text with the digits of no token", { text: "-8.109550019271474e+298 at most" }],
  ["an element of a map", { text: Fn.lookup(map, "a", "") as unknown }],
  ["a map token", { map }],
  ["a copied map token", { map: { ...map } }],
  ["merged maps", { map: Fn.merge([map, { a: "x" }]) as unknown }],
  ["keys that start with &{", { map: { "&{a}": "x", "&{TfToken[a]}": "y" } }],
  ["a key that is a token", { map: { [text]: "x", b: text } }],
  ["a string with the words of a placeholder", { text: "the String Map Token Value of cdktf" }],
  ["an element of a list", { text: Token.asString(Fn.element(list, 0)) }],
  ["a list token", { list }],
  ["a list token of numbers", { numbers }],
  ["a copied list token", { list: [...list] }],
  ["joined lists", { list: Fn.concat([list, ["x"]]) as unknown }],
  ["a list of text tokens", { list: [text, `${text}-2`, "x"] }],
  ["a text with #{", { text: "color: #{$blue} and #{TfToken[x]}" }],
  ["a text with TfToken", { text: "how TfToken[TOKEN.x] is encoded by TfToken[" }],
  ["a text with TFTOKEN", { text: "TFTOKEN" }],
  ["a string token in uppercase by Terraform", { text: Fn.upper(text) }],
  ["a part of a text token by Terraform", { text: Fn.substr(text, 0, 3) }],
  ["a text token inside a text", { text: `a-${text}-b` }],
  ["two text tokens inside a text", { text: `${text}${text}` }],
  ["something that Terraform decides", { text: variable.value as unknown, list: text, map: text }],
];

describe("values that only look like misuse are accepted", () => {
  test.each(twins)("%s", (_name, args) => {
    expect(codes(args)).toEqual([]);
  });
});

const expressions = [
  "${var.region}",
  "${ids_endpoint.edge.id}",
  "${each.value}",
  "${local.names[0]}",
  '${data.x.y["a}b"].id}',
  '${upper("a")}-2',
  "${var.count > 1 ? 2 : 3}",
  "${[for x in var.list : x]}",
  '${"quoted"}',
  "${ ~ }${var.x}".slice(6),
  "%{ if var.on }yes%{ endif }",
  "$${HOME} is HOME, %%{time} is time",
  "an escape that is not closed: $${T",
  "a $ and a { and a } and 5%",
  "${true}",
];

const literals = [
  "${HOME}",
  "prefix ${HOME} suffix",
  "${HOME:-/root}",
  "${1}",
  "${@}",
  "${FILE%.txt}",
  "${#LIST}",
  "${}",
  "${open",
  "%{time}",
  "%{http_code}",
];

describe("a string with Terraform's template syntax", () => {
  test.each(expressions)("%s is an expression or not a template", (value) => {
    expect(codes({ text: value })).toEqual([]);
  });

  test.each(literals)("%s would be misread, and is refused", (value) => {
    expect(codes({ text: value })).toEqual([["LITERAL_INTERPOLATION", "text"]]);
  });

  test("the message shows the escape and where it belongs", () => {
    const [finding] = checkValues(declaration, { list: ["a", "in ${HOME}"] });
    expect(finding?.path).toEqual(["list", 1]);
    expect(finding?.message).toBe(
      'must not contain "${HOME}", which Terraform would read as an expression: ' +
        'write "$${HOME}" to use these characters literally',
    );
  });

  test("a secret is not shown", () => {
    const [finding] = checkValues(declaration, { secret: "pass${WORD}" });
    expect(finding?.code).toBe("LITERAL_INTERPOLATION");
    expect(finding?.message).not.toContain("WORD");
  });

  test("a key of a map is checked like a value", () => {
    expect(codes({ map: { "${HOME}": "x" } })).toEqual([
      ["LITERAL_INTERPOLATION", "map", "${HOME}"],
    ]);
  });

  test("a key that Terraform reads as a comment is refused, but accepted as an expression", () => {
    expect(codes({ map: { "//": "x", "/": "y" } })).toEqual([
      ["LITERAL_INTERPOLATION", "map", "//"],
    ]);
    expect(codes({ map: { '${"//"}': "x" } })).toEqual([]);
  });

  test("a key that cdktf leaves out is refused, but accepted as an expression", () => {
    expect(codes({ map: { ["__proto__"]: "x", proto: "y" } })).toEqual([
      ["LITERAL_INTERPOLATION", "map", "__proto__"],
    ]);
    expect(codes({ map: { '${"__proto__"}': "x" } })).toEqual([]);
  });
});
