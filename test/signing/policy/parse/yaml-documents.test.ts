import { readYamlDocuments } from "../../../../src/signing/policy/parse/yaml-documents";

function only(text: string): unknown {
  const documents = readYamlDocuments(text);
  if ("problem" in documents) return documents.problem;
  const [document] = documents;
  if (document === undefined || documents.length > 1) throw new Error("not one document");
  return "problem" in document ? document.problem : document.value;
}

describe("YAML documents", () => {
  test("are separated by lines of three dashes, and each is read on its own", () => {
    expect(readYamlDocuments("a: 1\n---\na: [\n---\n- b\n")).toEqual([
      { value: { a: 1 } },
      { problem: expect.stringMatching(/^is not YAML/) as unknown },
      { value: ["b"] },
    ]);
  });

  test("may be JSON, indented with tabs", () => {
    expect(only('{\n\t"a": [\n\t\t"\\/\\ud83d\\ude00",\n\t\tnull\n\t]\n}')).toEqual({
      a: ["/😀", null],
    });
  });

  test("treat YAML 1.1's booleans as strings", () => {
    expect(only("a: y\nb: no\nc: on\nd: 012\ne: 2001-01-01\nf: 1_000\nyes: z")).toEqual({
      ...{ a: "y", b: "no", c: "on", d: 12, e: "2001-01-01", f: "1_000", yes: "z" },
    });
  });

  test("are refused when they declare YAML 1.1", () => {
    expect(only("%YAML 1.1\n---\na: y")).toMatch(/YAML 1\.1/);
    expect(only("%YAML 1.2\n---\na: y")).toEqual({ a: "y" });
  });

  test("keep a block scalar as it is", () => {
    expect(only("a: |\n  ---\n  - [[[\n")).toEqual({ a: "---\n- [[[\n" });
  });

  test("repeat the value of an anchor", () => {
    expect(only("a: &x {b: 1}\nc: *x\nd: [*x, *x]")).toEqual({
      ...{ a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }, { b: 1 }] },
    });
  });

  test("resolve an alias to the last anchor before it", () => {
    expect(only("a: &x 1\nb: *x\nc: &x 2\nd: *x")).toEqual({ a: 1, b: 1, c: 2, d: 2 });
  });

  test("do not merge objects by <<", () => {
    expect(only("a: &x {b: 1}\nc: {<<: *x}")).toEqual({ a: { b: 1 }, c: { "<<": { b: 1 } } });
  });

  test("have objects without a prototype", () => {
    expect(Object.getPrototypeOf(only("constructor: 1"))).toBeNull();
  });

  test.each([
    ["a name that comes twice", "a: 1\nb: 2\na: 3", /"a" twice/],
    ["a name that comes twice in JSON", '{"a": 1, "\\u0061": 2}', /"a" twice/],
    ["the name __proto__", "__proto__: {a: 1}", /__proto__/],
    ["the name __proto__ in JSON", '{"a": [{"__proto__": 1}]}', /__proto__/],
    ["a name that is a list", "? [a]\n: 1", /not YAML/],
    ["a name that is an alias", "a: &x b\n*x : 1", /not YAML/],
    ["bytes", "a: !!binary aGk=", /tag/],
    ["a set", "a: !!set {x}", /tag/],
    ["an unknown tag", "a: !!js/function 'x'", /tag|not YAML/],
    ["a custom tag", "a: !mine 1", /tag|not YAML/],
    ["an unknown anchor", "a: *nope", /anchor|not YAML/],
    ["an anchor that contains itself", "a: &x [*x]", /levels|anchor/],
    ["a number without end", "a: .inf", /JSON/],
    ["no number", "a: .nan", /JSON/],
    ["indentation by tabs", "a:\n\tb: 1", /not YAML/],
  ])("refuse %s", (_, text, problem) => {
    expect(only(text)).toMatch(problem);
  });

  test.each([
    ["brackets", "[".repeat(200_000)],
    ["braces", "{a: ".repeat(50_000)],
    ["dashes in one line", "- ".repeat(100_000)],
    ["question marks in one line", "? ".repeat(100_000)],
    ["brackets that are closed", `${"[".repeat(100)}${"]".repeat(100)}`],
    ["objects below each other", nested(60)],
    [
      "lists below each other",
      Array.from({ length: 60 }, (_, at) => `${"  ".repeat(at)}-`).join("\n"),
    ],
  ])("refuse too many levels: %s", (_, text) => {
    expect(only(text)).toMatch(/levels/);
  });

  test("refuse a small string that aliases expand to a large one", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 10; level++) {
      const before = Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ");
      lines.push(`a${level}: &a${level} [${before}]`);
    }
    expect(only(lines.join("\n"))).toMatch(/more than 20000 values/);
  });

  test("refuse a large string", () => {
    expect(only(`a: ${"ä".repeat(131_072)}`)).toMatch(/larger than 256 KiB/);
  });

  test("parse many names in one object", () => {
    const text = Array.from({ length: 19_000 }, (_, at) => `k${at}:`).join("\n");
    expect(Object.keys(only(text) as object)).toHaveLength(19_000);
  });
});

function nested(levels: number): string {
  return Array.from({ length: levels }, (_, at) => `${" ".repeat(at)}a:`).join("\n");
}
