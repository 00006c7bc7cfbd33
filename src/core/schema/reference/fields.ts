import {
  type Attribute,
  type Block,
  type Blocks,
  camelCase,
  type Fields,
  wireName,
  wireNames,
} from "../attribute";
import type { Declaration, Timeouts } from "../declaration";
import { formatDuration } from "../duration";
import type { ResourceRule } from "../resource-rule";
import {
  attributeItem,
  deprecation,
  objectFields,
  seeNested,
  typeScriptName,
  withSeverity,
} from "./attribute";
import { bullets, escapeHtml, fence } from "./markdown";

/** Writes the section Schema: arguments, attributes and rules, and a section for each nested block. */
export function schemaSection(fields: Fields, timeouts: Timeouts = {}): string[] {
  const own = content(withDefaults(fields, timeouts), [], (title) => `### ${title}`);
  return own.length === 0 ? [] : ["## Schema", ...namesNote(fields), ...own];
}

/** Writes the section Module Metadata: the values that a module can send to the provider. */
export function metaSection(meta: Declaration | undefined): string[] {
  if (meta === undefined) return [];
  const block = `terraform {\n  provider_meta "${meta.type}" {\n    # …\n  }\n}`;
  return [
    "## Module Metadata",
    escapeHtml(meta.doc),
    "A module can set these in its own configuration:",
    fence("terraform", block),
    ...content(meta, ["provider_meta"], (title) => `### ${title}`),
  ];
}

function namesNote({ attributes, blocks = {} }: Fields): string[] {
  const wires = Object.entries({ ...attributes, ...blocks }).map(([name, each]) =>
    wireName(name, each),
  );
  const several = wires.find((wire) => wire.includes("_"));
  if (several === undefined) return [];
  return [
    `The names are Terraform's. In TypeScript they are in camelCase: \`${several}\` is \`${camelCase(several)}\`.`,
  ];
}

function withDefaults(fields: Fields, timeouts: Timeouts): Fields {
  const block = fields.blocks?.["timeouts"];
  if (block === undefined) return fields;
  const defaults: Readonly<Record<string, number | undefined>> = { ...timeouts };
  const attributes = Object.fromEntries(
    Object.entries(block.fields.attributes).map(([name, each]) => {
      const ms = defaults[name];
      const doc = ms === undefined ? each.doc : `${each.doc} Default: ${formatDuration(ms)}.`;
      return [name, { ...each, doc }];
    }),
  );
  const timed = { ...block, fields: { ...block.fields, attributes } };
  return { ...fields, blocks: { ...fields.blocks, timeouts: timed } };
}

type Heading = (title: string) => string;

const paragraph: Heading = (title) => `${title}:`;

/** Writes one level, and then the levels below it. `path` has Terraform's names of the levels above. */
function content(fields: Fields, path: readonly string[], heading: Heading): string[] {
  const { attributes, blocks = {}, rules = [] } = fields;
  const named = Object.entries(attributes);
  const items = (belongs: (attribute: Attribute) => boolean): string[] =>
    named
      .filter(([, attribute]) => belongs(attribute))
      .map(([name, attribute]) =>
        attributeItem(
          name,
          attribute,
          fields,
          anchor("nestedatt", [...path, wireName(name, attribute)]),
        ),
      );
  const blockItems = (isRequired: boolean): string[] =>
    Object.entries(blocks)
      .filter(([, { min = 0 }]) => min > 0 === isRequired)
      .map(([name, block]) => blockItem(name, block, fields, path));
  const groups: readonly (readonly [title: string, items: readonly string[]])[] = [
    ["Required", [...items(({ presence }) => presence === "required"), ...blockItems(true)]],
    [
      "Optional",
      [
        ...items(({ presence }) => presence === "optional" || presence === "optionalComputed"),
        ...blockItems(false),
      ],
    ],
    ["Read-Only", items(({ presence }) => presence === "computed")],
    ["Rules", rules.map((rule) => escapeHtml(ruleText(rule, fields)))],
  ];
  return [
    ...groups
      .filter(([, list]) => list.length > 0)
      .flatMap(([title, list]) => [heading(title), bullets(list)]),
    ...below(named, blocks, path),
  ];
}

/** Writes the sections of nested objects and of blocks. */
function below(
  attributes: readonly (readonly [string, Attribute])[],
  blocks: Blocks,
  path: readonly string[],
): string[] {
  const objects = attributes.flatMap(([name, attribute]) => {
    const nested = objectFields(attribute.type);
    if (nested === undefined) return [];
    const inner = [...path, wireName(name, attribute)];
    return nestedSection("nestedatt", { attributes: nested }, inner);
  });
  const nested = Object.entries(blocks).flatMap(([name, block]) =>
    nestedSection("nestedblock", block.fields, [...path, wireName(name, block)]),
  );
  return [...objects, ...nested];
}

function nestedSection(kind: string, fields: Fields, path: readonly string[]): string[] {
  return [
    `<a id="${anchor(kind, path)}"></a>`,
    `### Nested Schema for \`${path.join(".")}\``,
    ...content(fields, path, paragraph),
  ];
}

const anchor = (kind: string, path: readonly string[]): string => [kind, ...path].join("--");

function blockItem(name: string, block: Block, fields: Fields, path: readonly string[]): string {
  const { nesting, min = 0, max, doc, deprecated } = block;
  const wire = wireName(name, block);
  const words = [
    nesting === "single" ? "Block" : `Block ${nesting === "list" ? "List" : "Set"}`,
    ...(min > 0 && nesting !== "single" ? [`Min: ${min}`] : []),
    ...(max === undefined ? [] : [`Max: ${max}`]),
    ...(deprecated === undefined ? [] : ["Deprecated"]),
  ];
  const text = [
    `\`${wire}\` (${words.join(", ")})`,
    doc,
    ...deprecation(deprecated, fields),
    ...typeScriptName(name, block),
    seeNested(anchor("nestedblock", [...path, wire])),
  ];
  return escapeHtml(text.join(" "));
}

function ruleText(rule: ResourceRule, fields: Fields): string {
  const label = wireNames(fields);
  const doc = rule.doc(label);
  const [first] = rule.inputs;
  // Advice is a predicate, without its attribute.
  const text = rule.code === "ADVICE" && first !== undefined ? `\`${label(first)}\` ${doc}` : doc;
  return withSeverity(text, rule);
}
