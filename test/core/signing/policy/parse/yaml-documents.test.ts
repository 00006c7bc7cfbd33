import fc from "fast-check";
import { Composer, parseAllDocuments } from "yaml";
import { readYamlDocuments } from "../../../../../src/core/signing/policy/parse/yaml-documents";
import { sample } from "../../../../all-tests";

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
      expect.objectContaining({ value: { a: 1 } }),
      { problem: expect.stringMatching(/^is not YAML/) as unknown, line: 3 },
      expect.objectContaining({ value: ["b"] }),
    ]);
  });

  test.each(["yes-no", "0x1G", "1.5e3x", "1:30:x", ".infinite", "2026-11-25-1", "<<=", "1_000 kB"])(
    "read %s as a string: no reader takes it for anything else",
    (text) => {
      expect(only(text)).toBe(text);
    },
  );

  test.each([
    ["objects", '{"a":', "}"],
    ["lists", "[", "]"],
  ])("have at most 32 levels of %s", (_, open, close) => {
    const nested = (levels: number) => `${open.repeat(levels - 1)}1${close.repeat(levels - 1)}`;
    expect(JSON.stringify(only(nested(32)))).toBe(nested(32));
    expect(only(nested(33))).toBe("has more than 32 levels");
  });

  test("may end within a block string, which then has no line break at its end", () => {
    expect(only("a: |\n  b")).toEqual({ a: "b" });
    expect(only("a: >\n  b\n  c")).toEqual({ a: "b c" });
    expect(only("a: |\n  b\n")).toEqual({ a: "b\n" });
  });

  test("are read where Error is frozen, and leave its limit of stack traces as it was", () => {
    const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
    expect(only("a: 1")).toEqual({ a: 1 });
    expect(only("a: [")).toMatch(/^is not YAML/);
    expect(Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")).toEqual(limit);
    // As strict code sees a frozen one: the transform of these tests is not strict.
    const set = (): never => {
      throw new TypeError("Error is frozen");
    };
    Object.defineProperty(Error, "stackTraceLimit", { get: () => 10, set, configurable: true });
    try {
      expect(only("a: 1")).toEqual({ a: 1 });
      expect(only("a: [")).toMatch(/^is not YAML/);
    } finally {
      Object.defineProperty(Error, "stackTraceLimit", limit ?? {});
    }
  });

  test("do not hide a fault of the reader itself", () => {
    const composed = jest.spyOn(Composer.prototype, "compose").mockImplementation(() => {
      throw new TypeError("a fault");
    });
    try {
      expect(() => readYamlDocuments("a: 1")).toThrow("a fault");
    } finally {
      composed.mockRestore();
    }
  });

  test("know the line in which each value begins", () => {
    const documents = readYamlDocuments(
      "a:\n  - b\n  - c\n    d\n  - e: 1\n    f: [2,\n      3]\n",
    );
    const [document] = "problem" in documents ? [] : documents;
    if (document === undefined || "problem" in document) throw new Error("not read");
    const { value, lines } = document;
    const paths = ["a", "a[0]", "a[1]", "a[2].e", "a[2].f", "a[2].f[1]"];
    expect(paths.map((path) => lines.lineOf(value, path))).toEqual([1, 2, 3, 5, 6, 7]);
    const several = readYamlDocuments("a: 1\n---\n\n- b\n");
    const [, second] = "problem" in several ? [] : several;
    if (second === undefined || "problem" in second) throw new Error("not read");
    expect(second.lines.lineOf(second.value, "")).toBe(4);
  });

  test("may be JSON, indented with tabs", () => {
    expect(only('{\n\t"a": [\n\t\t"\\/\\ud83d\\ude00",\n\t\tnull\n\t]\n}')).toEqual({
      a: ["/😀", null],
    });
  });

  test.each([
    "y",
    "no",
    "On",
    "012",
    "0o14",
    "0x1F",
    "0b11",
    "1_000",
    "1:30",
    "+1",
    "1e3",
    "1.5e3",
    "089",
    "2001-01-01",
    ".5",
    "1.",
    "=",
    "<<",
    ".inf",
    "-.INF",
    ".NaN",
    "-0",
  ])("refuse %s without quotes, which readers understand differently", (scalar) => {
    expect(only(`a: ${scalar}`)).toMatch(/quotes|represent/);
    expect(only(`${scalar}: a`)).toMatch(/quotes|represent/);
    expect(only(`[${scalar}]`)).toMatch(/quotes|represent/);
    expect(only(`a: "${scalar}"\nb: !!str ${scalar}`)).toEqual({ a: scalar, b: scalar });
  });

  test("take words that all readers take for strings", () => {
    expect(only("a: yesterday\nb: 1.2.3\nc: 10.0.0.1/8\nd: sha256:12\ne: v1\nf: -a")).toEqual({
      a: "yesterday",
      b: "1.2.3",
      c: "10.0.0.1/8",
      d: "sha256:12",
      e: "v1",
      f: "-a",
    });
  });

  test("take the numbers and words of JSON", () => {
    expect(only("[0, -1, 1.5, 1.5e+3, true, False, null, ~]")).toEqual([
      0,
      -1,
      1.5,
      1500,
      true,
      false,
      null,
      null,
    ]);
    expect(only("a: 9007199254740993")).toMatch(/represent exactly/);
  });

  test("are refused when they say that they are of YAML 1.1", () => {
    expect(only("%YAML 1.1\n---\na: b")).toMatch(/YAML 1\.1/);
    expect(only("%YAML 1.2\n---\na: b")).toEqual({ a: "b" });
  });

  test.each([
    ["another directive", "%TAG ! tag:example.com,2000:\n---\na: b"],
    ["two directives", "%YAML 1.2\n%YAML 1.2\n---\na: b"],
    ["a directive without a document", "%YAML 1.2\n"],
    ["a directive and no line of dashes", "%YAML 1.2\na: b"],
    ["a value in the line of dashes", "--- a\n"],
    ["a line of dots before a document", "...\na: b"],
    ["two lines of dots", "a: b\n...\n...\n"],
  ])("are refused with %s", (_, text) => {
    expect(only(text)).toMatch(/must|not YAML/);
  });

  test.each([
    ["U+0000", "\0"],
    ["U+0007", "\x07"],
    ["U+007F", "\x7f"],
    ["U+0085, a line break for some", "\x85"],
    ["U+2028, a line break for some", "\u2028"],
    ["U+2029, a line break for some", "\u2029"],
    ["a carriage return alone, a line break for some", "\r"],
    ["a byte order mark after the beginning", "\ufeff"],
    ["half of a character", "\ud800"],
  ])("are refused with %s", (_, character) => {
    const documents = readYamlDocuments(`a: b\n# no${character}spec: {}\n`);
    expect(documents).toEqual({
      problem: expect.stringMatching(/^must not contain the character U\+/) as unknown,
      line: 2,
    });
  });

  test("may begin with a byte order mark, and have line breaks of Windows", () => {
    expect(only("\ufeffa: |\r\n  b\r\nc: d\r\n")).toEqual({ a: "b\n", c: "d" });
  });

  test("keep a block scalar as it is", () => {
    expect(only("a: |\n  ---\n  - [[[\n")).toEqual({ a: "---\n- [[[\n" });
  });

  test("repeat the value of an anchor", () => {
    expect(only("a: &x {b: 1}\nc: *x\nd: [*x, *x]")).toEqual({
      a: { b: 1 },
      c: { b: 1 },
      d: [{ b: 1 }, { b: 1 }],
    });
  });

  test("resolve an alias to the last anchor before it", () => {
    expect(only("a: &x 1\nb: *x\nc: &x 2\nd: *x")).toEqual({ a: 1, b: 1, c: 2, d: 2 });
  });

  test("mean the same by an alias that is repeated by another alias", () => {
    const text = "a: &x {k: &who ours, v: *who}\nb: &who theirs\nagain: *x\nlast: *who";
    const a = { k: "ours", v: "ours" };
    expect(only(text)).toEqual({ a, b: "theirs", again: a, last: "theirs" });
    expect(only(text)).toEqual(only(JSON.stringify(parseAllDocuments(text)[0])));
  });

  test("do not change an anchor by reading its node again", () => {
    expect(only("x: &x {k: &a 1}\nb: &a 2\nc: *x\nd: *a")).toMatchObject({ b: 2, d: 2 });
  });

  test("mean by an alias the inner one of two anchors with one name", () => {
    expect(only("x: &a {k: &a 1}\nz: *a")).toEqual({ x: { k: 1 }, z: 1 });
  });

  test("have objects without a prototype", () => {
    expect(Object.getPrototypeOf(only("constructor: 1"))).toBeNull();
  });

  test.each([
    ["a name that comes twice", "a: 1\nb: 2\na: 3", /"a" twice/],
    ["a name that comes twice in JSON", '{"a": 1, "\\u0061": 2}', /"a" twice/],
    ["the name __proto__", "__proto__: {a: 1}", /__proto__/],
    ["the name __proto__ in JSON", '{"a": [{"__proto__": 1}]}', /__proto__/],
    ["a name that is a list", "? [a]\n: 1", /a key must not begin with \?/],
    ["a name that is an alias", "a: &x b\n*x : 1", /the key "\*x", which is not a string/],
    ["a name with an anchor", "a: 1\n&x b: 1", /not YAML|anchor/],
    ["a name that is a number", "1: a", /the key "1", which is not a string/],
    ["a name without a value", "{a}", /needs ": "/],
    ["a pair in a list", "[a: b]", /a list must not have pairs/],
    ["a key in the value of a key", "a: b: c", /not YAML/],
    ["a list in the line of a key", "a: - b", /not YAML/],
    ["a line that belongs to nothing", "a:\n    b: 1\n  c: 2", /same column/],
    ["text after a string in quotes", 'a: "b" c', /not YAML/],
    ["a comment without a space before it", 'a: "b"#c', /not YAML/],
    ["a bracket too many", "a: [b]]", /not YAML/],
    ["a string without an end", "a: 'b\nc: d", /Missing closing/],
    ["an unknown escape", 'a: "\\q"', /escape/],
    ["an escape of half a character", 'a: "\\ud800"', /half/],
    ["an anchor around its alias that had another node", "a: &x 1\nb: &x [*x]", /own alias/],
    ["bytes", "a: !!binary aGk=", /tag/],
    ["a set", "a: !!set {x: null}", /tag/],
    ["a tag on another value", "a: !!map [b]", /tag/],
    ["an unknown tag", "a: !!js/function 'x'", /tag|not YAML/],
    ["a custom tag", "a: !mine 1", /must not have the tag "!mine"/],
    ["an unknown anchor", "a: *nope", /anchor|not YAML/],
    ["an anchor that contains itself", "a: &x [*x]", /levels|anchor/],
    ["a number without end", "a: .inf", /quotes/],
    ["no number", "a: .nan", /quotes/],
    ["indentation by tabs", "a:\n\tb: 1", /not YAML/],
    ["question marks in one line", "? ".repeat(100_000), /a key must not begin with \?/],
    ["merging objects by <<", "a: &x {b: 1}\nc: {<<: *x}", /"<<" without quotes/],
  ])("refuse %s", (_, text, problem) => {
    expect(only(text)).toMatch(problem);
  });

  test.each([
    ["brackets", "[".repeat(200_000)],
    ["braces", "{a: ".repeat(50_000)],
    ["dashes in one line", "- ".repeat(100_000)],
    ["closing brackets before opening ones", `a: "]]]]"\nb: ${"[".repeat(200_000)}`],
    ["brackets that are closed", `${"[".repeat(100)}${"]".repeat(100)}`],
    ["objects below each other", nested(60)],
    [
      "lists below each other",
      Array.from({ length: 60 }, (_, at) => `${"  ".repeat(at)}-`).join("\n"),
    ],
  ])("refuse too many levels: %s", (_, text) => {
    expect(only(text)).toMatch(/levels/);
  });

  test("count the levels of an alias below those around it", () => {
    const lists = (levels: number, inside: string) =>
      `${"[".repeat(levels)}${inside}${"]".repeat(levels)}`;
    const aliased = (levels: number) => `a: &x ${lists(20, "z")}\nb: ${lists(levels, "*x")}`;
    expect(only(aliased(10))).toHaveProperty("b");
    expect(only(aliased(11))).toMatch(/levels/);
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

test("a text of another reader is read the same way, or refused", () => {
  const pieces = [
    "\n",
    "\n  ",
    " ",
    "- ",
    ": ",
    "a",
    "b: ",
    '"x"',
    "'y'",
    '"',
    "[",
    "]",
    "{",
    "}",
    ", ",
    " # c",
    "&a ",
    "*a",
    "&b ",
    "*b",
    "|\n",
    ">-\n",
    "|+\n",
    "!!str ",
    "...\n",
    "? ",
    "\t",
    "1.5",
    "null",
  ];
  const texts = [
    'a:\n- b: &a\n  - c: "d"\n    e: f\n  g: h i\nj: *a\n',
    "a: |\n  one\n   two\n\n  three\nb: >-\n  fold\n  me\n\n    more\nc: [a, {d: e}]\n",
    "- a\n- - b\n  - c: &b d\n    e: *b\n-\n  f: g\n- plain\n  more\n\n  text # comment\n",
    "x: &a {k: &b v, l: *b}\ny: &b [*a, *b]\nz: *b\n",
  ];
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom("", ...pieces)), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.constantFrom(...texts), edits, (start, changes) => {
      let text = start;
      for (const [place, removed, piece] of changes) {
        const at = place % (text.length + 1);
        text = text.slice(0, at) + piece + text.slice(at + removed);
      }
      // Other readers differ in whether a text that is cut off in a block scalar ends with a line break.
      const ours = readYamlDocuments(`${text}\n`);
      if ("problem" in ours || ours.some((each) => "problem" in each)) return;
      const theirs = [...parseAllDocuments(`${text}\n`, { merge: false, logLevel: "silent" })];
      // It wants more indentation inside of brackets.
      if (theirs.some(({ errors }) => errors.some(({ code }) => code === "BAD_INDENT"))) return;
      expect(ours.map((each) => ("value" in each ? each.value : null))).toEqual(
        theirs.map((each) => (each.errors.length === 0 ? each.toJS() : each.errors) as unknown),
      );
    }),
    { numRuns: sample(2_000, 500) },
  );
});

function nested(levels: number): string {
  return Array.from({ length: levels }, (_, at) => `${" ".repeat(at)}a:`).join("\n");
}
