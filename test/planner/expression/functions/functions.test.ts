import { NotKnown, Value } from "../../../../src/planner/expression/value";
import { terraformFunctions } from "../../../../src/planner/expression/functions";
import { execFileSync } from "node:child_process";
import { argument, called, type Given, list } from "./compared";

const value = (given: Given): Value => argument(given).value;
const secret = (given: Given): Value => value(given).marked(true);
const unknown = (type: Value["type"]): Value => Value.unknown(type, { kind: "apply", of: "a.b" });

/** What is known of a result: its type, and why it is not known. */
const described = (result: Value): unknown => [
  result.type,
  result.content instanceof NotKnown
    ? result.reasons().map(({ kind, of }) => `${kind} ${of}`)
    : "known",
];

test("are all of Terraform's but those whose arguments are not evaluated", () => {
  const printed = execFileSync("terraform", ["metadata", "functions", "-json"], {
    env: { ...process.env, CHECKPOINT_DISABLE: "1" },
    encoding: "utf8",
    stdio: "pipe",
  });
  const { function_signatures: signatures } = JSON.parse(printed) as {
    function_signatures: Record<string, unknown>;
  };
  const names = Object.keys(signatures).filter((name) => !name.includes("::"));
  const lazy = new Set(["can", "try"]);
  expect([...terraformFunctions.keys()].toSorted()).toEqual(
    names.filter((name) => !lazy.has(name)).toSorted(),
  );
});

test("say which of them are not computed", () => {
  expect(described(called("timestamp"))).toEqual(["string", ["function timestamp"]]);
  expect(described(called("fileset", value("."), value("*")))).toEqual([
    { set: "string" },
    ["function fileset"],
  ]);
  expect(described(called("yamldecode", value("a: 1")))).toEqual([
    "dynamic",
    ["function yamldecode"],
  ]);
  expect(() => called("file", value(["a"]))).toThrow("path of file");
});

test.each<[string, readonly Value[], Value["type"]]>([
  ["upper", [unknown("string")], "string"],
  ["upper", [unknown("dynamic")], "string"],
  ["length", [unknown({ list: "string" })], "number"],
  ["jsonencode", [Value.tuple([unknown("string")])], "string"],
  ["jsondecode", [unknown("string")], "dynamic"],
  ["join", [value(","), Value.tuple([value("a"), unknown("string")])], "string"],
  ["concat", [unknown({ list: "string" }), list("a").value], { list: "string" }],
  ["concat", [value(["a"]), unknown({ list: "string" })], "dynamic"],
  ["merge", [unknown({ map: "string" }), value({ a: 1 })], "dynamic"],
  ["keys", [unknown({ map: "string" })], { list: "string" }],
  ["lookup", [unknown({ map: "string" }), value("a"), value("b")], "string"],
  ["regex", [value("(a)(b)"), unknown("string")], { tuple: ["string", "string"] }],
  ["regexall", [unknown("string"), value("a")], { list: "dynamic" }],
  ["coalesce", [value(null), unknown("string"), value("b")], "string"],
  ["element", [Value.tuple([value("a")]), unknown("number")], "dynamic"],
  [
    "setproduct",
    [unknown({ set: "string" }), value([1])],
    { set: { tuple: ["string", "number"] } },
  ],
  ["flatten", [Value.tuple([unknown({ list: "string" })])], "dynamic"],
  ["contains", [Value.tuple([unknown("string")]), value("a")], "bool"],
  ["zipmap", [unknown({ list: "string" }), list(1).value], { map: "number" }],
  ["tolist", [unknown({ set: "string" })], { list: "dynamic" }],
  ["formatlist", [value("%s"), unknown({ list: "string" })], { list: "string" }],
  ["range", [unknown("number")], { list: "number" }],
  ["cidrsubnet", [unknown("string"), value(8), value(1)], "string"],
])("%s is not known where its arguments are not", (name, args, type) => {
  expect(described(called(name, ...args))).toEqual([type, ["apply a.b"]]);
});

test("compute what does not depend on what is not known", () => {
  const members = new Map([["a", unknown("string")]]);
  const object = Value.object(members);
  expect(called("keys", object).elements()).toEqual([value("a")]);
  expect(called("length", Value.tuple([unknown("string")])).content).toBe(1);
  expect(called("length", unknown({ tuple: ["string", "bool"] })).content).toBe(2);
  expect(described(called("lookup", object, value("a")))).toEqual(["string", ["apply a.b"]]);
  expect(called("contains", Value.tuple([unknown("string"), value("a")]), value("a")).content).toBe(
    true,
  );
  expect(called("anytrue", Value.tuple([unknown("bool"), value(true)])).content).toBe(true);
  expect(called("flatten", Value.tuple([value(["a"]), unknown("string")])).elements()).toHaveLength(
    2,
  );
  const [known, open] = called(
    "formatlist",
    value("%s"),
    Value.tuple([value("a"), unknown("string")]),
  ).elements();
  expect([known?.content, open?.isKnown]).toEqual(["a", false]);
});

test("pass on the marks of secrets", () => {
  expect(called("upper", secret("a"))).toEqual(new Value("string", "A", true));
  expect(called("length", secret("abc"))).toEqual(new Value("number", 3, true));
  const mixed = Value.tuple([value("a"), secret("b")]);
  expect(called("element", mixed, value(0)).isSensitive).toBe(false);
  expect(called("element", mixed, value(1)).isSensitive).toBe(true);
  expect(called("element", mixed.marked(true), value(0)).isSensitive).toBe(true);
  expect(called("length", mixed).isSensitive).toBe(false);
  expect(called("join", value(","), mixed).isSensitive).toBe(true);
  expect(
    called("concat", mixed, value(["c"]))
      .elements()
      .map((each) => each.isSensitive),
  ).toEqual([false, true, false]);
  expect(called("toset", mixed)).toMatchObject({ isSensitive: true });
  expect(called("keys", secret({ a: 1 })).isSensitive).toBe(true);
  expect(called("values", Value.object([["a", secret(1)]])).isSensitive).toBe(false);
  expect(called("lookup", value({ a: 1 }), secret("a")).isSensitive).toBe(true);
  expect(called("zipmap", Value.tuple([secret("a")]), value([1])).isSensitive).toBe(true);
  expect(called("merge", secret({ a: 1 }), value({ b: 2 })).isSensitive).toBe(true);
  expect(called("upper", unknown("string").marked(true)).isSensitive).toBe(true);
});

test("set, remove and tell marks", () => {
  expect(called("sensitive", value("a")).isSensitive).toBe(true);
  expect(called("nonsensitive", secret("a")).isSensitive).toBe(false);
  expect(called("issensitive", secret("a")).content).toBe(true);
  expect(called("issensitive", value("a")).content).toBe(false);
  expect(called("issensitive", unknown("string")).isKnown).toBe(false);
});

test("take no longer than the text is long for an expression of an attacker", () => {
  const text = value("a".repeat(20_000));
  expect(() => called("regex", value("(?:a+)+b"), text)).toThrow("does not match");
  expect(described(called("regexall", value("a(?:a*b)?"), text))).toEqual([
    { list: "string" },
    ["function regexall"],
  ]);
});

test("blame what is not known for a result of which not even the type is known", () => {
  const open = Value.unknown("dynamic", { kind: "provider", of: "aws_subnet.a" });
  for (const [name, ...args] of [
    ["lookup", open, value("k"), value("d")],
    ["keys", open],
  ] as const) {
    expect(called(name, ...args).reasons()).toEqual([{ kind: "provider", of: "aws_subnet.a" }]);
  }
});

test("make no value that is larger than anyone needs", () => {
  const many = Value.tuple(Array.from({ length: 400 }, (_, at) => value(at)));
  const long = value("a".repeat(3_000));
  const calls: readonly (readonly [string, ...Value[]])[] = [
    ["setproduct", many, many, many],
    ["replace", long, value(""), long],
    ["indent", value(200_000), value("\n")],
    ["format", value("%99999d"), value(1)],
  ];
  for (const [name, ...args] of calls) {
    expect(called(name, ...args).reasons()).toEqual([{ kind: "function", of: name }]);
  }
});
