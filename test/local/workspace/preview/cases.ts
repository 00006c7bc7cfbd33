/** A template to preview. */
export interface PreviewCase {
  readonly name: string;
  /** Texts by file. */
  readonly files: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, string>>;
  readonly groups?: readonly string[];
  /** Why a preview here is not the same as the platform's. */
  readonly differs?: string;
}

/** What the platform does not know, and a parameter that has no value. */
const around = `data "coder_workspace" "me" {}
data "coder_workspace_owner" "me" {}
data "coder_workspace_owner" "other" {}
data "http" "x" { url = "https://example.com" }
resource "docker_image" "x" {
  name = "a"
}
data "coder_parameter" "req" {
  name = "req"
}
`;

const parameter = (body: string, label = "p"): string =>
  `data "coder_parameter" "${label}" {\n  name = "${label}"\n${body}\n}\n`;

const native = (
  name: string,
  text: string,
  more: Omit<PreviewCase, "name" | "files"> = {},
): PreviewCase => ({ name, files: { "main.tf": around + text }, ...more });

const json = (name: string, content: object, text = ""): PreviewCase => ({
  name,
  files: { "main.tf": around + text, "cdk.tf.json": JSON.stringify(content) },
});

const option = (name: string, value: string): string =>
  `  option {\n    name  = ${name}\n    value = ${value}\n  }`;

const conditional = `data "coder_parameter" "region" {
  name    = "region"
  default = "eu"
  dynamic "option" {
    for_each = contains(data.coder_workspace_owner.me.groups, "admins") ? ["eu", "us"] : ["eu"]
    content {
      name  = upper(option.value)
      value = option.value
    }
  }
}
data "coder_parameter" "cores" {
  name      = "cores"
  type      = "number"
  form_type = "slider"
  default   = local.sizes["large"]
  mutable   = true
  order     = 2
  styling   = jsonencode({ placeholder = "cores", disabled = false, other = 1 })
  validation {
    min   = 2
    max   = data.coder_parameter.region.value == "eu" ? 32 : 16
    error = "Choose {min} to {max} cores, not {value}"
  }
}
data "coder_parameter" "gpu" {
  count   = data.coder_parameter.region.value == "us" ? 1 : 0
  name    = "gpu"
  type    = "bool"
  default = true
}
locals {
  sizes = { small = 2, large = 8 }
}
variable "zone" {
  default = "z1"
}
data "coder_workspace_preset" "p" {
  name    = "P"
  default = true
  parameters = { cores = "99", nope = "x", region = "mars" }
}
data "coder_workspace_tags" "t" {
  tags = { zone = var.zone, who = data.coder_workspace_owner.me.name, size = local.sizes.small }
}
`;

const lookalikes = [
  '/* resource "x" "y" { */',
  '# data "coder_parameter" "no" {',
  'data "coder_parameter" "p" {',
  '  name        = "p"',
  '  default     = "docker_image.x.id } data.coder_workspace.me.name"',
  "  description = <<-EOT",
  '    a { "quoted" docker_image.x.id',
  '    ${upper("b")} $${c}',
  "  EOT",
  "}",
].join("\n");

/** Presets with a value of a parameter that others do not have, and one whose condition is not met. */
function withPresets(instances: string): string {
  const prebuilds = instances === "" ? "" : `  prebuilds {\n    instances = ${instances}\n  }\n`;
  const preset = (name: string, values: string): string =>
    `data "coder_workspace_preset" "${name}" {\n  name = "${name}"\n  parameters = { ${values} }\n${prebuilds}}\n`;
  return `${parameter('  default = "no"', "a")}data "coder_parameter" "b" {
  count   = data.coder_parameter.a.value == "yes" ? 1 : 0
  name    = "b"
  type    = "number"
  default = 2
}
${preset("met", 'a = "yes", b = "3", req = "r"')}${preset("unmet", 'b = "3", req = "r"')}${preset("refused", 'a = "yes", b = "many", req = "r"')}`;
}

/** A parameter that another one shows, and a third one whose default reads it. */
const chain = (fallback: string, shown = "yes"): string =>
  `${parameter(`  default = "${shown}"`, "a")}data "coder_parameter" "b" {
  count   = data.coder_parameter.a.value == "yes" ? 1 : 0
  name    = "b"
  default = "y"
}
${parameter(`  default = ${fallback}`, "c")}`;

const first = "data.coder_parameter.b[0].value";

const uselessWord = "The words are the same, but the platform's name something useless.";

export const cases: readonly PreviewCase[] = [
  ...[
    ["the one", "one(data.coder_parameter.b[*].value)"],
    ["all, joined", 'join("", data.coder_parameter.b[*].value)'],
    ["a loop", 'join(",", [for x in data.coder_parameter.b : x.value])'],
    ["the first, tried", 'try(data.coder_parameter.b[0].value, "")'],
    [
      "the first in a condition",
      'data.coder_parameter.a.value == "yes" ? data.coder_parameter.b[0].value : "none"',
    ],
    ["the one or another", 'coalesce(one(data.coder_parameter.b[*].value), "none")'],
    ["the number", "length(data.coder_parameter.b)"],
    ["the name", "one(data.coder_parameter.b[*].name)"],
  ].flatMap(([name = "", value = ""]) => [
    native(`a default through a parameter with a count: ${name}`, chain(value)),
    native(`a default through a hidden parameter: ${name}`, chain(value, "no")),
  ]),
  native("a default through a parameter with a count: the first", chain(first)),
  native(
    "a default through a parameter with a count: with comments",
    chain(`${first} # "c"\n  count = try(${first}, "") == "n" ? 0 : 1 // d`),
  ),
  native("a default through a parameter with a count: in a text", chain(`"x-\${${first}}"`)),
  ...[
    ["the first", first],
    ["in a text", `"x-\${${first}}"`],
    ["not needed", `data.coder_parameter.a.value == "yes" ? "k" : ${first}`],
  ].map(([name = "", value = ""]) =>
    native(
      `a default that Terraform refuses if a parameter is hidden: ${name}`,
      chain(value, "no"),
      {
        differs: "Terraform's error is one here. The platform shows no value.",
      },
    ),
  ),
  native(
    "a default through a parameter with a count: in a local",
    `${chain("local.l")}locals {\n  l = one(data.coder_parameter.b[*].value)\n}\n`,
  ),
  native(
    "a default through its default",
    chain("data.coder_parameter.d.value") + parameter(`  default = ${first}`, "d"),
  ),
  native("a value for it", chain(`one(data.coder_parameter.b[*].value)`), {
    values: { c: "mine" },
  }),
  ...["yes", "no"].flatMap((shown) => [
    native(
      `a count that tries a parameter with a count: ${shown}`,
      chain(`"k"\n  count = try(${first}, "") == "y" ? 1 : 0`, shown),
    ),
    native(
      `a count through a parameter with a count: ${shown}`,
      chain('"k"\n  count = one(data.coder_parameter.b[*].value) == "y" ? 1 : 0', shown),
    ),
  ]),
  native(
    "a default through a parameter for each",
    `data "coder_parameter" "b" {
  for_each = toset(["x"])
  name     = "b"
  default  = "y"
}
${parameter('  default = data.coder_parameter.b["x"].value', "c")}`,
  ),
  ...[
    ["a template file", `templatefile("\${path.module}/x.tftpl", { a = "1" })`],
    ["a file", `file("\${path.module}/x.tftpl")`],
  ].map(([name = "", value = ""]) => ({
    name: `a default of ${name}`,
    files: { "main.tf": around + parameter(`  default = ${value}`), "x.tftpl": "A ${a}" },
  })),
  ...[
    ["as it is", "data.coder_workspace.me.start_count"],
    ["as a string", "tostring(data.coder_workspace.me.start_count)"],
    ["in a text", '"n${data.coder_workspace.me.start_count}"'],
    ["in a condition", 'data.coder_workspace.me.start_count == 1 ? "a" : "b"'],
  ].map(([name = "", value = ""]) =>
    native(`a default that is the number of machines: ${name}`, parameter(`  default = ${value}`)),
  ),
  ...["id", "optional", "access_token"].map((name) =>
    native(
      `the ${name} of an external login`,
      `data "coder_external_auth" "g" {\n  id       = "github"\n  optional = true\n}\n${parameter(`  default = data.coder_external_auth.g.${name}`)}`,
    ),
  ),
  native("a form that depends on nothing entered", conditional),
  native("a form for an owner in a group", conditional, {
    values: { region: "us", cores: "17" },
    groups: ["Everyone", "admins"],
  }),
  native("a value that is no option", conditional, { values: { region: "us" } }),
  native("a value that is no number", conditional, { values: { cores: "many" } }),
  native("the value of an unknown parameter", conditional, { values: { nothing: "x" } }),
  native(
    "an option with an unknown value",
    parameter(option('"n"', "data.coder_workspace.me.name")),
  ),
  native("an option without a value", parameter('  option {\n    name = "n"\n  }')),
  native("an option that is a number", parameter(option("5", "6")), {
    differs:
      "Terraform converts the name, so the template works; the platform's form loses the option.",
  }),
  native("an unknown name of an option", parameter(option("data.coder_workspace.me.name", '"x"')), {
    differs: "Terraform's plan does not say which reference in a nested block is not known.",
  }),
  native(
    "an unknown name",
    'data "coder_parameter" "p" {\n  name = data.coder_workspace.me.name\n}',
  ),
  native("no name", 'data "coder_parameter" "p" {\n  default = "x"\n}'),
  native("null as the name", 'data "coder_parameter" "p" {\n  name = null\n}'),
  native("a number as the name", 'data "coder_parameter" "p" {\n  name = 5\n}'),
  native(
    "an unknown name in a text",
    'data "coder_parameter" "p" {\n  name = "x-${data.coder_workspace.me.name}"\n}',
    {
      differs:
        "Terraform's plan does not tell a text from a reference: the words are those for one.",
    },
  ),
  native("an unknown description", parameter('  default = "d"\n  description = data.http.x.body')),
  native(
    "the value of a parameter with an unknown description",
    parameter('  default = "d"\n  description = data.http.x.body') +
      parameter("  default = data.coder_parameter.p.value", "q"),
  ),
  ...[
    ["of a parameter without a value", "data.coder_parameter.req.value"],
    ["of another provider's data source", "data.http.x.response_body"],
    ["of another owner", "data.coder_workspace_owner.other.name"],
    ["of the workspace", "data.coder_workspace.me.name"],
    ["computed by a resource", "docker_image.x.repo_digest"],
    ["in a condition", 'data.coder_workspace.me.name == "a" ? "1" : "2"'],
    ["in a text", '"a-${data.coder_workspace.me.name}"'],
  ].map(([name = "", value = ""]) =>
    native(`a default ${name}`, parameter(`  default = ${value}`)),
  ),
  native("a default that a resource sets", parameter("  default = docker_image.x.name"), {
    differs: "Here, no value of a resource is known. Terraform needs the same.",
  }),
  native(
    "a count of the build",
    parameter('  count   = data.coder_workspace.me.start_count\n  default = "k"'),
  ),
  native(
    "an unknown bound",
    parameter(
      '  type = "number"\n  default = 3\n  validation {\n    min = data.coder_workspace.me.name == "a" ? 4 : 5\n  }',
    ),
    { differs: "The platform panics. Here, the bound is left out, with a warning." },
  ),
  native(
    "an unknown boolean",
    parameter('  default = "x"\n  mutable = data.coder_workspace.me.name == "a"'),
    {
      differs: "The platform panics. Here, the value counts as false, with a warning.",
    },
  ),
  native(
    "parameters of a for_each",
    'data "coder_parameter" "p" {\n  for_each = toset(["p", "q"])\n  name = "n_${each.key}"\n  type = "number"\n  default = 1.50\n}',
  ),
  native("null as the default", parameter("  default = null")),
  native("a list as the default", parameter('  type = "list(string)"\n  default = ["a"]')),
  native("a long number", parameter('  type = "number"\n  default = 12345678901')),
  native(
    "small numbers",
    parameter('  type = "number"\n  default = 0.00001') +
      parameter('  type = "number"\n  default = 0', "q"),
  ),
  native("an unknown type", parameter('  type = "numbr"')),
  native("an unknown form type", parameter('  form_type = "knob"')),
  native("a form type of another type", parameter('  form_type = "slider"')),
  native("a form type for options", parameter('  form_type = "dropdown"')),
  native(
    "a form type against options",
    parameter(`  form_type = "textarea"\n${option('"a"', '"a"')}`),
  ),
  native(
    "two parameters of one name",
    parameter('  default = "a"') +
      parameter('  default = "a"', "q").replace('name = "q"', 'name = "p"'),
    {
      differs: "The platform's message also has the lines of the file.",
    },
  ),
  native(
    "two validations",
    parameter(
      '  type = "number"\n  validation {\n    min = 1\n  }\n  validation {\n    min = 2\n  }',
    ),
  ),
  native(
    "a value that does not match",
    parameter(
      '  default = "{\\"a\\":1}"\n  validation {\n    regex = "^[a-z]+$"\n    error = "bad 100%"\n  }',
    ),
    {
      values: { p: "A b\\" },
    },
  ),
  native(
    "a regex without an error",
    parameter('  default = "x"\n  validation {\n    regex = "x"\n  }'),
  ),
  native(
    "a regex for a number",
    parameter('  type = "number"\n  validation {\n    regex = "x"\n    error = "x"\n  }'),
  ),
  native(
    "a bound in an interpolation, as the constructs write a bigint",
    parameter(
      '  type = "number"\n  default = 2\n  validation {\n    min = "${9007199254740994}"\n  }',
    ),
  ),
  ...[
    ["a text", '"2"'],
    ["null", "null"],
    ["an expression", "1 + 1 # two"],
    ["a parameter whose default is a number", "data.coder_parameter.q.value"],
    ["a parameter whose default is text", "data.coder_parameter.r.value"],
  ].flatMap(([name = "", min = ""]) =>
    [{}, { q: "3", r: "3" }].map((values, at) =>
      native(
        `a bound that is ${name}${at === 0 ? "" : ", with values"}`,
        parameter(`  type = "number"\n  default = 2\n  validation {\n    min = ${min}\n  }`) +
          parameter('  type = "number"\n  default = 1', "q") +
          parameter('  type = "number"\n  default = "1"', "r"),
        { values },
      ),
    ),
  ),
  native("bounds for a string", parameter('  default = "x"\n  validation {\n    max = 1\n  }')),
  native(
    "a required number with bounds",
    parameter('  type = "number"\n  validation {\n    min = 1\n  }'),
  ),
  native(
    "a direction that does not exist",
    parameter('  type = "number"\n  default = 1\n  validation {\n    monotonic = "up"\n  }'),
  ),
  native(
    "a regex that is none",
    parameter('  default = "x"\n  validation {\n    regex = "("\n    error = "bad"\n  }'),
    {
      differs: uselessWord,
    },
  ),
  native(
    "elements that are no options",
    parameter(
      `  type = "list(string)"\n  form_type = "multi-select"\n  default = jsonencode(["a", "z"])\n${option('"A"', '"a"')}`,
    ),
  ),
  native(
    "a list of options",
    parameter(
      `  type = "list(string)"\n  default = jsonencode(["a"])\n${option('"A"', 'jsonencode(["a"])')}`,
    ),
  ),
  native(
    "options of another type",
    parameter(`  type = "number"\n${option('"A"', '"a"')}\n${option('"B"', '"b"')}`),
  ),
  native(
    "options with the same name",
    parameter(`${option('"A"', '"a"')}\n${option('"A"', '"b"')}`),
  ),
  native(
    "an ephemeral parameter",
    parameter(
      '  type = "bool"\n  default = false\n  mutable = true\n  ephemeral = true\n  order = -3',
    ),
  ),
  native(
    "a tag that is not known",
    'data "coder_workspace_tags" "t" {\n  tags = { a = data.coder_workspace.me.name, b = "c", n = null }\n}',
  ),
  native(
    "a tag with a text that is not known",
    'data "coder_workspace_tags" "t" {\n  tags = { z = "b${data.http.x.body}", y = true }\n}',
  ),
  native(
    "a tag of a parameter without a value",
    'data "coder_workspace_tags" "t" {\n  tags = { r = data.coder_parameter.req.value, y = 1.5 }\n}',
  ),
  native("a tag that is a list", 'data "coder_workspace_tags" "t" {\n  tags = { q = ["a"] }\n}'),
  native(
    "tags that are a map",
    'data "coder_workspace_tags" "t" {\n  tags = tomap({ v = "1" })\n}',
  ),
  native(
    "tags with an unknown key",
    'data "coder_workspace_tags" "t" {\n  tags = merge({ u = 5 }, { "${docker_image.x.repo_digest}" = "k" })\n}',
  ),
  native(
    "a preset with an unknown name",
    'data "coder_workspace_preset" "q" {\n  name = data.coder_workspace.me.name\n}',
  ),
  native(
    "two default presets",
    'data "coder_workspace_preset" "a" {\n  name = "a"\n  default = true\n  parameters = { req = null }\n}\ndata "coder_workspace_preset" "b" {\n  name = "b"\n  default = true\n}',
  ),
  native("a preset that sets a conditional parameter", withPresets("")),
  native("prebuilds that set a conditional parameter", withPresets("1")),
  native("prebuilds of nothing", withPresets("0")),
  native(
    "prebuilds without a required value, and with values that are refused",
    `${parameter('  type = "number"\n  default = 1')}data "coder_workspace_preset" "a" {
  name       = "a"
  parameters = { p = "x", nope = "1" }
  prebuilds {
    instances = 1
  }
}`,
  ),
  native(
    "prebuilds for which the template cannot be evaluated",
    `${parameter('  default = "[]"')}${parameter("  default = jsondecode(data.coder_parameter.p.value)[0]", "q")}data "coder_workspace_preset" "a" {
  name       = "a"
  parameters = { p = "[1", req = "r" }
  prebuilds {
    instances = 1
  }
}`,
    { differs: "Terraform's words are not those of the platform's evaluator." },
  ),
  native(
    "a preset with a number",
    `${parameter('  type = "number"\n  default = 1')}data "coder_workspace_preset" "a" {\n  name = "a"\n  parameters = { p = 5 }\n}`,
    {
      differs:
        "Terraform converts the value, so the preset sets it; the platform's preview ignores it.",
    },
  ),
  native("text that only looks like code", lookalikes),
  native(
    "arguments that only matter to a run",
    parameter('  depends_on = [docker_image.x]\n  provider   = coder.other\n  default    = "x"'),
  ),
  json("options in JSON", {
    data: {
      coder_parameter: {
        p: {
          name: "p",
          default: "a",
          option: [{ name: "A", value: "a" }],
          validation: { regex: "b" },
        },
      },
    },
  }),
  json("a form type in JSON that needs options", {
    data: {
      coder_parameter: {
        p: { name: "p", form_type: "dropdown", option: [{ name: "A", value: "a" }] },
      },
    },
  }),
  json("an ephemeral parameter in JSON", {
    data: { coder_parameter: { p: { name: "p", default: "a", mutable: true, ephemeral: true } } },
  }),
  json(
    "a preset and tags in JSON",
    {
      variable: { zone: { default: "z" } },
      locals: { size: "${upper(var.zone)}-${docker_image.x.repo_digest}", zone: "${var.zone}" },
      data: {
        coder_workspace_preset: {
          a: { name: "a", parameters: { req: "${local.zone}" }, prebuilds: { instances: 1 } },
        },
        coder_workspace_tags: { t: { tags: { zone: "${local.zone}", "${var.zone}x": "y" } } },
      },
      resource: { terraform_data: { machine: { input: "${data.coder_parameter.req.value}" } } },
      output: { o: { value: "${terraform_data.machine.id}" } },
    },
    parameter("  default = local.zone"),
  ),
];
