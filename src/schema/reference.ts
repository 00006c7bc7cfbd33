import type { Attributes, Block, Fields } from "./attribute";
import type { Declaration } from "./declaration";
import { formatDuration } from "./duration";
import { importForms } from "./import-form";
import type { FunctionDeclaration } from "./function";
import { attributeItem, withSeverity } from "./reference-attribute";
import { functionAnchor, functionSection } from "./reference-function";
import { wireName } from "./wire-name";

/** The declarations of one provider, for {@link referencePage}. */
export interface ReferenceOptions {
  readonly provider: Declaration;
  readonly resources: readonly Declaration[];
  /** @default none */
  readonly dataSources?: readonly Declaration[] | undefined;
  /** @default none */
  readonly ephemeralResources?: readonly Declaration[] | undefined;
  /** @default none */
  readonly functions?: readonly FunctionDeclaration[] | undefined;
}

/**
 * The reference page of a provider, in Markdown.
 *
 * Everything on it is derived from the declarations.
 */
export function referencePage(options: ReferenceOptions): string {
  const {
    provider,
    resources,
    dataSources = [],
    ephemeralResources = [],
    functions = [],
  } = options;
  const offered = [...resources, ...dataSources, ...ephemeralResources];
  const settings = content(provider, provider.type, 3);
  return [
    `# Provider \`${provider.type}\``,
    provider.doc,
    [
      ...offered.map(({ type, kind }) => `- [\`${type}\`](#${anchor(kind, type)})`),
      ...functions.map(({ name }) => `- [\`${name}\`](#${functionAnchor(name)})`),
    ].join("\n"),
    "Names are written as in TypeScript, followed by Terraform's name in parentheses where it differs.",
    ...(settings.length === 0 ? [] : ["## Settings", ...settings]),
    ...offered.flatMap(section),
    ...functions.flatMap((each) => functionSection(provider.type, each)),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

const titles = {
  provider: "Provider",
  resource: "Resource",
  "data source": "Data source",
  "ephemeral resource": "Ephemeral resource",
};

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
      .map(([name, attribute]) => attributeItem(name, attribute))
      .join("\n");
  return [list(false), list(true)];
}

function ruleMessage(rule: NonNullable<Fields["rules"]>[number]): string {
  const doc = rule.doc((name) => name);
  // Advice does not name the attribute that it is about.
  const text =
    rule.code === "ADVICE" && rule.inputs[0] !== undefined ? `\`${rule.inputs[0]}\` ${doc}` : doc;
  return withSeverity(text, rule);
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
