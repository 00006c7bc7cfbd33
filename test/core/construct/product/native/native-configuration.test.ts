import type { Properties } from "../../../../../src/core/json/plain-json";
import { parse } from "@cdktf/hcl2json";
import * as fc from "fast-check";
import { nativeConfiguration } from "../../../../../src/core/construct/product/native/native-files";
import type { Referable } from "../../../../../src/core/construct/product/native/configuration-parts";
import type { Grammar } from "../../../../../src/core/construct/product/native/native-block";

const options: Grammar = (name) =>
  name === "option" ? (inner) => (inner === "deep" ? () => undefined : undefined) : undefined;

const text = (...blocks: Referable[]): string =>
  nativeConfiguration(blocks, () => options).join("\n");

/** What HashiCorp's own parser reads, in Terraform's JSON syntax. It writes directives without blanks. */
const read = async (native: string): Promise<Properties> => await parse("native.tf", native);

const local = (name: string, body: unknown): Referable => ({
  section: "locals",
  labels: [name],
  body,
});

/** HCL normalizes strings. */
const normal = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).normalize("NFC")) as unknown;

const characters = fc.string({ unit: "binary" });

/** Texts in which what matters to a template is frequent. */
const literals = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "$",
        "%",
        "{",
        "}",
        '"',
        "\\",
        "\n",
        "\r\n",
        "\t",
        "~",
        "#",
        "//",
        "/*",
        "<<EOT\n",
      ),
      fc.constantFrom(
        "${",
        "%{",
        "$${",
        "%%{",
        "${var.a}",
        "%{ if x }",
        "\\u0041",
        "\u2028",
        "é",
        "\ufeff",
      ),
      characters,
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

/** A text as a template that contains nothing but the text. */
const escaped = (literal: string): string => literal.replaceAll(/[$%](?=\{)/g, "$&$&");

const expressions = fc.constantFrom(
  "${var.a}",
  '${lookup(var.m, "a\\"b")}',
  '${upper("x${lower("y }${var.b}")}z")}',
  '${var.m["${var.k}"]}',
  "${[for a in var.l : a.id if a.id != null]}",
  "${jsonencode({ a = 1, b = { c = 2 } })}",
  '${upper(<<EOT\n  say "}" ${var.a} \\n\nEOT\n)}',
  '${upper(var.a == "" ? "none" : "${var.a}")}',
  '${lookup(var.m /* } " */, "k")}',
  '%{if var.a == "b"}yes%{else}no%{endif}',
  "%{for a in var.l}${a}%{endfor}",
);

/** Strings of Terraform's JSON. A `$` before an interpolation would escape it. */
const templates = fc
  .array(fc.oneof(literals.map(escaped), expressions), { maxLength: 5 })
  .map((parts) =>
    parts.reduce(
      (all, part) => all + (/[$%]$/.test(all) && /^[$%]?\{/.test(part) ? " " : "") + part,
      "",
    ),
  );

const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(1e21, 1.7976931348623157e308, 5e-324, 9007199254740992, -1e-7),
);

/** HCL takes two keys that are the same text after normalization for one. */
const objectsOf = (
  keys: fc.Arbitrary<string>,
  values: fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .uniqueArray(fc.tuple(keys, values), {
      selector: ([key]) => key.normalize("NFC"),
      maxLength: 3,
    })
    .map((entries) => Object.fromEntries(entries));

const valuesOf = (strings: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      strings,
      numbers,
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      objectsOf(strings, tie("value")),
    ),
  })).value;

describe("native syntax, read by HashiCorp's parser,", () => {
  test("is the JSON of locals", async () => {
    await fc.assert(
      fc.asyncProperty(valuesOf(templates), async (value) => {
        const { locals } = await read(text(local("it", value)));
        expect(normal(locals)).toEqual(normal([{ it: value }]));
      }),
      { numRuns: 200 },
    );
  });

  test("is the JSON of a variable, whose default is not a template", async () => {
    await fc.assert(
      fc.asyncProperty(valuesOf(literals), literals, async (value, description) => {
        const body = {
          type: "map(string)",
          default: value,
          description,
          nullable: false,
          validation: [{ condition: "${var.it != null}", error_message: "No ${var.it}" }],
        };
        const { variable } = await read(text({ section: "variable", labels: ["it"], body }));
        const asTemplates = { ...body, type: "${map(string)}", default: allEscaped(value) };
        expect(normal(variable)).toEqual(
          normal({ it: [{ ...asTemplates, description: escaped(description) }] }),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("is the JSON of a data source with blocks", async () => {
    const body = fc.record({
      name: templates,
      map: objectsOf(templates, templates),
      option: fc.array(
        fc.record({
          name: templates,
          value: numbers,
          deep: fc.array(fc.record({ text: templates }), { minLength: 1, maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(body, async (written) => {
        const block: Referable = { section: "data", labels: ["demo_it", "x"], body: written };
        const { data } = await read(text(block));
        expect(normal(data)).toEqual(normal({ demo_it: { x: [written] } }));
      }),
      { numRuns: 100 },
    );
  });
});

function allEscaped(value: unknown): unknown {
  if (typeof value === "string") return escaped(value);
  if (Array.isArray(value)) return value.map(allEscaped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [escaped(key), allEscaped(each)]),
  );
}

test("modules and data sources keep their references", async () => {
  const native = text(
    local("one", 1),
    local("two", "${local.one}"),
    {
      section: "module",
      labels: ["net"],
      body: { source: "./net", providers: { "a.b": "a.east" }, zone: "${local.two}" },
    },
    {
      section: "data",
      labels: ["demo_it", "x"],
      body: { "//": { metadata: {} }, provider: "a.east", depends_on: ["module.net"], n: null },
    },
  );
  expect(native).toBe(`locals {
  one = 1
  two = "\${local.one}"
}

module "net" {
  source = "./net"
  providers = {
    "a.b" = a.east
  }
  zone = "\${local.two}"
}

data "demo_it" "x" {
  provider = a.east
  depends_on = [module.net]
  n = null
}
`);
  await read(native);
});
