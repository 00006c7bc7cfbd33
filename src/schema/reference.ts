import type { Attribute, Attributes, Block, Fields } from "./attribute";
import type { Declaration } from "./declaration";
import { formatDuration } from "./duration";
import { importForms } from "./import-form";
import type { Type } from "./type";
import type { ValueRule } from "./value-rule";
import { wireName } from "./wire-name";

/** The declarations of one provider, for {@link referencePage}. */
export interface ReferenceOptions {
  readonly provider: Declaration;
  readonly resources: readonly Declaration[];
  /** @default none */
  readonly dataSources?: readonly Declaration[] | undefined;
}

/**
 * The reference page of a provider, in Markdown.
 *
 * Everything on it is derived from the declarations.
 */
export function referencePage({ provider, resources, dataSources = [] }: ReferenceOptions): string {
  const offered = [...resources, ...dataSources];
  const settings = content(provider, provider.type, 3);
  return [
    `# Provider \`${provider.type}\``,
    provider.doc,
    offered.map(({ type, kind }) => `- [\`${type}\`](#${anchor(kind, type)})`).join("\n"),
    "Names are written as in TypeScript, followed by Terraform's name in parentheses where it differs.",
    ...(settings.length === 0 ? [] : ["## Settings", ...settings]),
    ...offered.flatMap(section),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

const titles = { provider: "Provider", resource: "Resource", "data source": "Data source" };

/** The anchor that GitHub generates for a heading. */
const anchor = (kind: Declaration["kind"], type: string): string =>
  `${titles[kind]} ${type}`.toLowerCase().replaceAll(" ", "-");

function section(declaration: Declaration): string[] {
  const { kind, type, doc } = declaration;
  return [
    `## ${titles[kind]} \`${type}\``,
    doc,
    ...content(withoutTimeouts(declaration), type, 3),
    ...timeouts(declaration),
    ...imports(declaration),
  ];
}

/** The block of timeouts has its own section, with the defaults. */
function withoutTimeouts(declaration: Declaration): Fields {
  if (Object.keys(declaration.timeouts).length === 0) return declaration;
  const blocks = Object.entries(declaration.blocks).filter(([name]) => name !== "timeouts");
  return { ...declaration, blocks: Object.fromEntries(blocks) };
}

function content(fields: Fields, name: string, level: number): string[] {
  const { attributes, blocks = {}, rules = [] } = fields;
  const [inputs, outputs] = split(attributes);
  const heading = (title: string) => `${"#".repeat(Math.min(level, 6))} ${title}`;
  const isProvider = "kind" in fields && fields.kind === "provider";
  return [
    ...(inputs === "" ? [] : isProvider ? [inputs] : [heading(`Arguments of \`${name}\``), inputs]),
    ...(rules.length === 0
      ? []
      : [
          heading(`Rules of \`${name}\``),
          rules.map((rule) => `- ${ruleMessage(rule)}`).join("\n"),
        ]),
    ...Object.entries(blocks).flatMap(([key, block]) => nestedBlock(key, block, name, level)),
    ...(outputs === "" ? [] : [heading(`Outputs of \`${name}\``), outputs]),
  ];
}

function split(attributes: Attributes): readonly [inputs: string, outputs: string] {
  const entries = Object.entries(attributes);
  const list = (isOutput: boolean): string =>
    entries
      .filter(([, { presence }]) => (presence === "computed") === isOutput)
      .map(([name, attribute]) => item(name, attribute))
      .join("\n");
  return [list(false), list(true)];
}

/** One attribute as an item of a list, with its rules below it. */
function item(name: string, attribute: Attribute): string {
  const { type, doc, env = [], deprecated } = attribute;
  const lines = [
    ...values(type),
    ...ruleDocs(type),
    ...environment(env),
    ...(deprecated === undefined ? [] : [`**deprecated**: ${deprecated}`]),
  ].map((line) => `  - ${line}`);
  const nested = objectFields(type);
  const below =
    nested === undefined ? [] : Object.entries(nested).map(([key, each]) => item(key, each));
  return [
    `- ${names(name, attribute)}, ${facts(attribute).join(", ")}: ${doc}`,
    ...lines,
    ...below.map((text) => text.replaceAll(/^/gm, "  ")),
  ].join("\n");
}

function names(name: string, given: Attribute): string {
  const wire = wireName(name, given);
  return wire === name ? `**\`${name}\`**` : `**\`${name}\`** (\`${wire}\`)`;
}

function environment(variables: readonly string[]): string[] {
  if (variables.length === 0) return [];
  const from =
    variables.length === 1
      ? `the environment variable ${codes(variables)}`
      : `the first of ${codes(variables)} that is set in the environment`;
  return [`default: ${from}`];
}

function facts({
  presence,
  type,
  default: value,
  requiresReplace,
  useStateForUnknown,
  sensitive,
}: Attribute): string[] {
  const given = {
    required: "**required**",
    optional: "optional",
    optionalComputed: value === undefined ? "optional, otherwise set by the provider" : "optional",
    computed: "",
  };
  return [
    typeName(type),
    given[presence],
    value === undefined ? "" : `default \`${JSON.stringify(value)}\``,
    useStateForUnknown === true ? "kept while the resource is updated" : "",
    requiresReplace === true ? "**a change replaces the resource**" : "",
    sensitive === true ? "sensitive" : "",
  ].filter((fact) => fact !== "");
}

function typeName(type: Type): string {
  switch (type.kind) {
    case "integer":
      return "integer";
    case "bool":
      return "boolean";
    case "dynamic":
      return "any type";
    case "list":
    case "set":
    case "map":
      return `${type.kind} of ${plural(typeName(type.of))}`;
    default:
      return type.kind;
  }
}

const plural = (name: string): string =>
  name === "any type" ? "any type" : name.replace(/^\w+/, "$&s");

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

function values(type: Type): string[] {
  if (type.kind === "string" && type.values !== undefined) return [`one of ${codes(type.values)}`];
  return "of" in type ? values(type.of).map((line) => `each ${line}`) : [];
}

function ruleDocs(type: Type): string[] {
  const own = type.rule?.doc.map((text) => withSeverity(text, type.rule)) ?? [];
  return "of" in type ? [...own, ...ruleDocs(type.of).map((text) => `each ${text}`)] : own;
}

const withSeverity = (text: string, rule: Pick<ValueRule, "severity"> | undefined): string =>
  rule?.severity === "warning" ? `${text} (a warning)` : text;

function ruleMessage(rule: NonNullable<Fields["rules"]>[number]): string {
  const doc = rule.doc((name) => name);
  // Advice does not name the attribute that it is about.
  const text =
    rule.code === "ADVICE" && rule.inputs[0] !== undefined ? `\`${rule.inputs[0]}\` ${doc}` : doc;
  return withSeverity(text, rule);
}

function objectFields(type: Type): Attributes | undefined {
  if (type.kind === "object") return type.fields.attributes;
  return "of" in type ? objectFields(type.of) : undefined;
}

function nestedBlock(key: string, block: Block, parent: string, level: number): string[] {
  const name = `${parent}.${key}`;
  const { nesting, min = 0, max, doc, deprecated } = block;
  const single = min > 0 ? "exactly once" : "at most once";
  const bounds = [
    ...(min > 0 ? [`at least ${min}`] : []),
    ...(max === undefined ? [] : [`at most ${max}`]),
  ];
  const several = `${nesting} of blocks, ${bounds.join(", ") || "any number"}`;
  const count = nesting === "single" ? single : several;
  return [
    `${"#".repeat(Math.min(level, 6))} Block \`${name}\``,
    `\`${wireName(key, block)}\` in Terraform, ${count}: ${doc}`,
    deprecated === undefined ? "" : `**Deprecated**: ${deprecated}`,
    ...content(block.fields, name, level + 1),
  ];
}

function timeouts({ type, blocks, timeouts: defaults }: Declaration): string[] {
  const entries = Object.entries(defaults);
  if (entries.length === 0) return [];
  return [
    `### Timeouts of \`${type}\``,
    `Block \`timeouts\`: ${blocks["timeouts"]?.doc ?? ""}`,
    entries.map(([name, ms]) => `- **\`${name}\`**: default ${formatDuration(ms)}`).join("\n"),
  ];
}

function imports(declaration: Declaration): string[] {
  const { type } = declaration;
  const forms = importForms(declaration);
  if (forms.length === 0) return [];
  const commands = forms.map((template) => `terraform import ${type}.NAME '${template}'`);
  return [
    `### Import of \`${type}\``,
    forms.length === 1
      ? "With this ID:"
      : "With one of these IDs. The first form that matches applies:",
    ["```sh", ...commands, "```"].join("\n"),
  ];
}
