import { parse } from "@cdktf/hcl2json";
import { parseTemplate } from "../../../src/planner/expression/parse";
import type { Expression } from "../../../src/planner/expression/syntax";
import { Value } from "../../../src/planner/expression/value";
import { isObject } from "../../../src/core/json/plain-json";
import { joinedFiles, jsonOfNative } from "../../../src/planner/offline-plan/native-syntax";
import { plainValue } from "../../../src/planner/offline-plan/plan-json";

/** What both sides must agree on: each string as the expression that it is. */
function meaning(value: unknown, name = ""): unknown {
  if (typeof value === "string")
    return bare.has(name) ? reference(value) : plain(parseTemplate(value));
  if (Array.isArray(value)) return value.map((each) => meaning(each, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, meaning(each, key)]));
}

/** HCL's parser converts lists and objects in part, and then their elements. */
function plain(expression: Expression): unknown {
  if (expression.kind === "literal") return plainValue(expression.value);
  if (expression.kind === "tuple") return expression.elements.map(plain);
  if (expression.kind !== "object") return withJoinedTexts(expression);
  return Object.fromEntries(expression.members.map(([key, value]) => [plain(key), plain(value)]));
}

/** A template has a part for each line of a heredoc, but one for all lines of a string. */
function withJoinedTexts(part: unknown): unknown {
  if (Array.isArray(part)) {
    const texts: unknown[] = [];
    for (const each of part.map(withJoinedTexts)) {
      const last = texts.at(-1);
      if (typeof each === "string" && typeof last === "string") texts.splice(-1, 1, last + each);
      else texts.push(each);
    }
    return texts;
  }
  if (part instanceof Value) return part;
  if (!isObject(part)) return part;
  const { kind, value } = part;
  if (kind === "literal" && value instanceof Value && typeof value.content === "string")
    return value.content;
  return Object.fromEntries(
    Object.entries(part).map(([name, each]) => [name, withJoinedTexts(each)]),
  );
}

const bare = new Set(["depends_on", "provider", "ignore_changes", "from", "to", "iterator"]);
const reference = (text: string): string => text.replace(/^\$\{([^]*)\}$/, "$1");

/** HCL's own parser, in Go. */
async function expected(text: string): Promise<unknown> {
  return meaning(await parse("main.tf", text));
}

const files = {
  "comments, and strings with everything": `
# one { = }
// two
resource "a_b" "c" {
  /* three
  x = 1 */
  name = "a \${b} } # no" // four
  text = "\\"q\\" \\\\ \\n \\u00e9 $\${x} %%{ y }"
}
`,
  "heredocs with directives": `
locals {
  plain = <<EOT
name = "x"
  block {
EOT
  directives = <<EOT
    %{ for x in [1, 2] }
    key = \${x}
    %{ endfor }
    \${
      upper("a")
    }
EOT
  after = true
}
`,
  "expressions of several lines": `
data "x" "y" {
  list = [
    1, # one
    "two",
    { three = 3, "four" = [4] },
  ]
  call = join(",", [
    var.a,
  ])
  choice = (
    var.a == "" ?
    1 : 2
  )
  object = {
    a = 1
    b: [for k, v in var.m : "\${k}=\${v}" if v != null]
  }
  depends_on = [a_b.c, module.m["x,y"]]
  negative = -1.5
  none = null
}
`,
  "blocks in blocks": `
resource "a" "b" {
  provider = a.second
  one {
    two { x = 1 }
  }
  one {}
  dynamic "three" {
    for_each = var.list
    iterator = each_one
    content { value = each_one.value }
  }
  lifecycle {
    ignore_changes = [x, one[0].two]
    postcondition {
      condition     = self.x != 1
      error_message = "wrong \${self.x}"
    }
  }
}
terraform {
  required_version = ">= 1.5"
  required_providers {
    a = { source = "x/a", version = "1.0.0" }
  }
  backend "local" { path = "x.tfstate" }
}
moved {
  from = a.c
  to   = a.b
}
provider "a" {}
provider "a" { alias = "second" }
`,
  "windows line ends": 'locals {\r\n  a = "x"\r\n  b = [\r\n    1,\r\n  ]\r\n}\r\n',
};

it.each(Object.entries(files))("reads %s as HCL's own parser does", async (_, text) => {
  expect(meaning(jsonOfNative(text))).toEqual(await expected(text));
});

it("joins files as Terraform does", () => {
  const main = {
    "//": { metadata: {} },
    data: { a: { x: { "//": {}, name: "json" } } },
    terraform: { required_providers: { a: { source: "x/a" } } },
    provider: { a: [{ url: "1" }] },
    locals: { one: 1 },
  };
  const native = `
data "a" "y" { name = "native" }
terraform {
  required_providers {
    b = { source = "x/b" }
  }
}
provider "a" { alias = "second" }
locals { two = 2 }
variable "v" {
  type    = object({ a = string })
  default = { a = "$\${literal}" }
}
`;
  const override = 'data "a" "x" { name = "overridden" }';
  expect(joinedFiles([main, jsonOfNative(native), jsonOfNative(override)])).toEqual({
    "//": { metadata: {} },
    data: { a: { x: { "//": {}, name: "overridden" }, y: { name: "native" } } },
    terraform: [
      { required_providers: { a: { source: "x/a" } } },
      { required_providers: [{ b: { source: "x/b" } }] },
    ],
    provider: { a: [{ url: "1" }, { alias: "second" }] },
    locals: { one: 1, two: 2 },
    variable: { v: { type: "object({ a = string })", default: { a: "${literal}" } } },
  });
});

it("keeps what it cannot read for the evaluation, which reports it", () => {
  expect(jsonOfNative('data "a" "x" {\n  name = 1 +\n}\nlost(')).toEqual({
    data: { a: { x: [{ name: "${1 +\n}" }] } },
  });
});
