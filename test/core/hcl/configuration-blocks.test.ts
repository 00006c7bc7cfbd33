import { parse } from "@cdktf/hcl2json";
import * as fc from "fast-check";
import { blocksIn } from "../../../src/core/hcl/configuration-blocks";
import { codeOf } from "../../../src/core/hcl/template-sequences";
import { isObject } from "../../../src/core/json/plain-json";
import { nativeText } from "../../../src/core/construct/product/native/native-block";
import { randomTemplate } from "./random-template";

const file = `# resource "a" "b" {
/* data "c" "d" { */ variable "v" { default = "}" }
locals {
  text = "a \${ { x = "}" }.x } {"
  doc  = <<-EOT
    } \${upper("}")}
  EOT
}

data "x" "y-z" {
  nested { k = 1 } // }
}
terraform {}
module m { source = "./m" }
`;

test("finds the blocks of a file, and where they are", () => {
  const found = blocksIn(file).map(({ name, labels, from, start, to }) => ({
    name,
    labels,
    first: file.slice(from, start),
    last: file.slice(to - 2, to),
  }));
  expect(found).toEqual([
    { name: "variable", labels: ["v"], first: 'variable "v" {', last: " }" },
    { name: "locals", labels: [], first: "locals {", last: "\n}" },
    { name: "data", labels: ["x", "y-z"], first: 'data "x" "y-z" {', last: "\n}" },
    { name: "terraform", labels: [], first: "terraform {", last: "{}" },
    { name: "module", labels: ["m"], first: "module m {", last: " }" },
  ]);
});

test("leaves out what is not a whole block", () => {
  expect(blocksIn("a {}\nb {")).toMatchObject([{ name: "a" }]);
  expect(blocksIn("}\na {}")).toMatchObject([{ name: "a", from: 2 }]);
});

test("finds blocks that are on one line, as CLI configurations allow", () => {
  const text = `outer { first { x = { y = 1 } } second "l" {} } last {}`;
  const [outer, ...rest] = blocksIn(text);
  expect([outer?.name, ...rest.map(({ name }) => name)]).toEqual(["outer", "last"]);
  expect(blocksIn(text, outer)).toMatchObject([
    { name: "first" },
    { name: "second", labels: ["l"] },
  ]);
});

test("finds the blocks in a block, after attributes", () => {
  const text = `top = 1
outer { # {
  path = "{"
  first { a = "b" }
  ids = {
    # source = "no"
    source = "yes" // {
  }
}
second {}
`;
  const [outer, ...rest] = blocksIn(text);
  if (outer === undefined) throw new Error("no block was found");
  expect([outer.name, ...rest.map(({ name }) => name)]).toEqual(["outer", "second"]);
  const inside = blocksIn(text, outer);
  expect(inside.map(({ name }) => name)).toEqual(["first"]);
});

test("keeps code where it is", () => {
  expect(codeOf(file, "expression")).toHaveLength(file.length);
  expect(codeOf('a = "b ${c.d} e" # f', "expression")).toBe("a =      c.d        ");
  expect(codeOf("x ${a.b} $${c.d}", "template")).toBe("    a.b         ");
});

test("finds the same blocks as HashiCorp's parser, whatever strings contain", async () => {
  const block = fc.tuple(fc.constantFrom("variable", "output"), randomTemplate, fc.boolean());
  const files = fc.sample(fc.array(block, { maxLength: 4 }), { seed: 3, numRuns: 100 });
  for (const blocks of files) {
    const text = blocks
      .map(([type, template, isNested], at) => {
        const body = `  value = ${nativeText(template)}\n`;
        return `${type} "n${at}" {\n${isNested ? `  a {\n${body}  }\n` : body}}\n`;
      })
      .join("# }\n");
    const parsed = await parse("main.tf", text);
    const expected = Object.entries(parsed).flatMap(([type, named]) =>
      Object.keys(isObject(named) ? named : {}).map((name) => `${type}.${name}`),
    );
    const found = blocksIn(text).map(({ name, labels }) => `${name}.${labels.join(".")}`);
    expect(found.sort()).toEqual(expected.sort());
  }
});
