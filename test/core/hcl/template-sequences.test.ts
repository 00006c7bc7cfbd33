import * as fc from "fast-check";
import { expressionsIn, sequencesIn } from "../../../src/core/hcl/template-sequences";
import { randomTemplate } from "./random-template";

/** A template, and each of its sequences with the code of its expression. */
const rows: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
  ["no sequence", "a } $ { % b", []],
  ["an interpolation", "a ${b.c} d", [["${b.c}", "b.c"]]],
  [
    "a directive",
    "%{ if b }c%{ endif }",
    [
      ["%{ if b }", " if b "],
      ["%{ endif }", " endif "],
    ],
  ],
  ["escaped sequences", "$${a} %%{b} $$${c}", []],
  [
    "another sign before a sequence",
    "%${a} $%{b}",
    [
      ["${a}", "a"],
      ["%{b}", "b"],
    ],
  ],
  ["a sign after a sequence", "${a}$${b}$", [["${a}", "a"]]],
  ["a backslash, which is an ordinary character", "\\${a}", [["${a}", "a"]]],
  ["braces of objects", "${{ a = {} }.a}}", [["${{ a = {} }.a}", "{ a = {} }.a"]]],
  ["braces and quotes in a string", '${"}\\"{"}"', [['${"}\\"{"}', '""']]],
  ["a backslash at the end of a string", '${"\\\\"}"', [['${"\\\\"}', '""']]],
  [
    "a template in a string",
    '${"a${lookup(m, "}")}b"}"}',
    [
      ['${"a${lookup(m, "}")}b"}', '""'],
      ['${lookup(m, "}")}', 'lookup(m, "")'],
    ],
  ],
  [
    "a directive in a string",
    '${"%{ if a }b%{ endif }"}',
    [
      ['${"%{ if a }b%{ endif }"}', '""'],
      ["%{ if a }", " if a "],
      ["%{ endif }", " endif "],
    ],
  ],
  ["escaped sequences in a string", '${"$${a} %%{b} $$${c}"}', [['${"$${a} %%{b} $$${c}"}', '""']]],
  [
    "an escaped sign in a string",
    '${"\\$${a}"}',
    [
      ['${"\\$${a}"}', '""'],
      ["${a}", "a"],
    ],
  ],
  [
    "comments",
    '${a /* } " ${ */ /**/ + # } "\nb // } "\n}',
    [['${a /* } " ${ */ /**/ + # } "\nb // } "\n}', "a     +  b  "]],
  ],
  [
    "division, and a comment that is not closed twice",
    "${a / b /*/ } */}",
    [["${a / b /*/ } */}", "a / b  "]],
  ],
  ["comments in a string", '${"# /* //"}', [['${"# /* //"}', '""']]],
  [
    "a heredoc",
    '${upper(<<END\n } " \\ ${a}\n ENDE\n  END\n)}',
    [
      ['${upper(<<END\n } " \\ ${a}\n ENDE\n  END\n)}', 'upper("")'],
      ["${a}", "a"],
    ],
  ],
  [
    "a heredoc with a line that ends like the heredoc",
    "${<<-A\r\n${a}A\r\nA\r\n}",
    [
      ["${<<-A\r\n${a}A\r\nA\r\n}", '""'],
      ["${a}", "a"],
    ],
  ],
  [
    "a heredoc in a heredoc",
    "${<<A\n${<<A\n}\nA\n}\nA\n}",
    [
      ["${<<A\n${<<A\n}\nA\n}\nA\n}", '""'],
      ["${<<A\n}\nA\n}", '""'],
    ],
  ],
  ["no heredoc", "${a << b}", [["${a << b}", "a << b"]]],
];

test.each(rows)("%s", (_, template, expected) => {
  const found = sequencesIn(template);
  expect(found.map(({ start, end, code }) => [template.slice(start, end), code])).toEqual(expected);
  expect(found.every(({ isClosed }) => isClosed)).toBe(true);
});

describe("an unclosed sequence extends to the end", () => {
  test.each([
    ["${", ""],
    ["${a", "a"],
    ["%{ if a", " if a"],
    ["${{}", "{}"],
    ['${"', '""'],
    ['${"}', '""'],
    ['${"\\', '""'],
    ["${a /*", "a  "],
    ["${a /*/", "a  "],
    ["${a # }", "a  "],
    ["${a //}", "a  "],
    ["${a/", "a/"],
    ["${a<", "a<"],
    ["${a<<", "a<<"],
    ["${a<<b", "a<<b"],
    ["${<<A\n", '""'],
    ["${<<A\n}\nA}", '""'],
    ["${<<A\n}\nA", '""'],
  ])("%j", (template, code) => {
    expect(sequencesIn(template)).toMatchObject([
      { start: 0, end: template.length, isClosed: false, code },
    ]);
  });

  test("in a string of another unclosed sequence", () => {
    expect(sequencesIn('a ${b "c ${d')).toMatchObject([
      { start: 2, end: 12, isClosed: false, code: 'b ""' },
      { start: 9, end: 12, isClosed: false, code: "d" },
    ]);
  });
});

test("a sequence knows the string that it is in", () => {
  const [outer, inner, innermost] = sequencesIn('${a("b", "${c("${d}")}")}');
  expect(outer).toMatchObject({ within: undefined, code: 'a("", "")' });
  expect(inner?.within?.expression).toBe(outer);
  expect(inner?.within?.at).toBe(6);
  expect(innermost?.within?.expression).toBe(inner);
});

test("an expression is read like a sequence, but no brace ends it", () => {
  const codes = expressionsIn('a } "${b}" + ${c}').map(({ code }) => code);
  expect(codes).toEqual(['a } "" + ${c}', "b"]);
});

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "${",
        "%{",
        "$${",
        "%%{",
        "$",
        "%",
        "{",
        "}",
        '"',
        "\\",
        "\n",
        "\r\n",
        "#",
        "//",
        "/*",
        "*/",
        "<<A\n",
        "<<-A\r\n",
        "A\n",
        " A",
        "~",
        "a.b",
        "🙂",
      ),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("any string", () => {
  test("has sequences one after another, or one in a string of another", () => {
    fc.assert(
      fc.property(fc.oneof(soup, randomTemplate), (text) => {
        let outside = 0;
        for (const { start, end, isClosed, within } of sequencesIn(text)) {
          expect(text.slice(start, start + 2)).toMatch(/^[$%]\{$/);
          if (isClosed) expect(text[end - 1]).toBe("}");
          else expect(end).toBe(text.length);
          if (within === undefined) {
            expect(start).toBeGreaterThanOrEqual(outside);
            outside = end;
          } else {
            expect(end).toBeLessThanOrEqual(outside);
            expect(within.expression.code.slice(within.at, within.at + 2)).toBe('""');
          }
        }
        expect(expressionsIn(text)[0]?.within).toBeUndefined();
      }),
    );
  });

  test("can be escaped and put into a quoted string", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const quoted = JSON.stringify(text).replaceAll(/[$%](?=\{)/g, "$&$&");
        const whole = `\${f(${quoted})}`;
        expect(sequencesIn(`${whole}}"`)).toMatchObject([{ end: whole.length, code: 'f("")' }]);
      }),
    );
  });
});

describe("a long template takes linear time", () => {
  const long = 100_000;

  test.each([
    ["${"],
    ["$"],
    ["{"],
    ['${"'],
    ['"'],
    ['${"\\'],
    ["${<<A\n"],
    ["${<<"],
    ["${<<A\nA\n}"],
    ["${/*"],
    ["${#\n"],
    ["}"],
    ["$${"],
  ])("%j repeated", (piece) => {
    const text = piece.repeat(long);
    const found = sequencesIn(text);
    expect(found.every(({ end }) => end <= text.length)).toBe(true);
    expect(expressionsIn(text)).not.toHaveLength(0);
  });
});
