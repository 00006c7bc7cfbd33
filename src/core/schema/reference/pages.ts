import { wireName } from "../attribute";
import { type Declaration, type DeclarationKind, type Identity, importForms } from "../declaration";
import type { FunctionDeclaration, Parameter } from "../function";
import type { Type } from "../type";
import { attributeItem, objectFields, ruleDocs, typeName, values } from "./attribute";
import { metaSection, schemaSection } from "./fields";
import {
  bullets,
  escapeHtml,
  fence,
  firstSentence,
  nameInExample,
  type ReferenceExample,
  usage,
} from "./markdown";

/** The declarations of a provider and the settings of {@link referencePages}. */
export interface ReferenceOptions {
  readonly provider: Declaration;
  readonly resources: readonly Declaration[];
  /** @default none */
  readonly dataSources?: readonly Declaration[] | undefined;
  /** @default none */
  readonly ephemeralResources?: readonly Declaration[] | undefined;
  /** @default none */
  readonly listResources?: readonly Declaration[] | undefined;
  /** @default none */
  readonly actions?: readonly Declaration[] | undefined;
  /** @default none */
  readonly functions?: readonly FunctionDeclaration[] | undefined;
  /** The metadata that modules can send to the provider. @default none */
  readonly providerMeta?: Declaration | undefined;
  /** Examples by the path of their page without its ending: `index`, `resources/endpoint`. @default none */
  readonly examples?: ReadonlyMap<string, ReferenceExample> | undefined;
  /** The command that generates the pages, for the note in each of them: `npm run gen`. @default none */
  readonly command?: string | undefined;
}

/** The folder and the title of the pages of each kind, as registries expect them. */
const kinds: Readonly<Record<DeclarationKind, Readonly<Record<"folder" | "title", string>>>> = {
  provider: { folder: "", title: "Provider" },
  "provider meta": { folder: "", title: "Provider Meta" },
  resource: { folder: "resources", title: "Resource" },
  "data source": { folder: "data-sources", title: "Data Source" },
  "ephemeral resource": { folder: "ephemeral-resources", title: "Ephemeral Resource" },
  "list resource": { folder: "list-resources", title: "List Resource" },
  action: { folder: "actions", title: "Action" },
  module: { folder: "modules", title: "Module" },
};

/**
 * The reference of a provider in the layout that Terraform registries expect: the content of its `docs`
 * folder, in Markdown.
 *
 * Everything but the examples is derived from the declarations.
 *
 * @returns path to content; the paths are `index.md`, `resources/NAME.md`, `data-sources/NAME.md`,
 * `ephemeral-resources/NAME.md`, `list-resources/NAME.md`, `actions/NAME.md` and `functions/NAME.md`. The names are the
 * types without the provider's name.
 * @see https://developer.hashicorp.com/terraform/registry/providers/docs
 */
export function referencePages(options: ReferenceOptions): ReadonlyMap<string, string> {
  const { provider, resources, dataSources = [], ephemeralResources = [] } = options;
  const { listResources = [], actions = [], functions = [], examples } = options;
  const offered = [
    ...resources,
    ...dataSources,
    ...ephemeralResources,
    ...listResources,
    ...actions,
  ];
  const pages: readonly (readonly [path: string, page: Page])[] = [
    [
      "index",
      indexPage(provider, offered, functions, examples?.get("index"), options.providerMeta),
    ],
    ...offered.map((declaration): [string, Page] => {
      const path = pagePath(declaration, provider.type);
      return [path, declarationPage(declaration, provider.type, examples?.get(path))];
    }),
    ...functions.map((declaration): [string, Page] => {
      const path = `functions/${declaration.name}`;
      return [path, functionPage(declaration, provider.type, examples?.get(path))];
    }),
  ];
  const source = options.command === undefined ? "from the declarations" : `by ${options.command}`;
  const mark = `<!-- generated ${source}, do not edit -->`;
  return new Map(
    pages.map(([path, { front, sections }]) => [
      `${path}.md`,
      `${[front, mark, ...sections].join("\n\n")}\n`,
    ]),
  );
}

interface Page {
  readonly front: string;
  readonly sections: readonly string[];
}

function pagePath({ kind, type }: Declaration, provider: string): string {
  return `${kinds[kind].folder}/${type.replace(`${provider}_`, "")}`;
}

function indexPage(
  provider: Declaration,
  offered: readonly Declaration[],
  functions: readonly FunctionDeclaration[],
  example: ReferenceExample | undefined,
  meta: Declaration | undefined,
): Page {
  const { type, doc } = provider;
  const front = frontMatter(`${type} Provider`, undefined, doc);
  const sections = [
    `# ${type} Provider`,
    escapeHtml(doc),
    ...Object.entries(kinds).flatMap(([kind, { title }]) => {
      const list = offered
        .filter((each) => each.kind === kind)
        .map((each) => linkItem(each.type, pagePath(each, type), each.doc));
      return list.length === 0 ? [] : [`## ${title}s`, bullets(list)];
    }),
    ...(functions.length === 0
      ? []
      : [
          "## Functions",
          bullets(functions.map(({ name, doc }) => linkItem(name, `functions/${name}`, doc))),
        ]),
    ...usage(example),
    ...schemaSection(provider),
    ...metaSection(meta),
  ];
  return { front, sections };
}

function declarationPage(
  declaration: Declaration,
  provider: string,
  example: ReferenceExample | undefined,
): Page {
  const { kind, type, doc } = declaration;
  const { title } = kinds[kind];
  const front = frontMatter(`${type} ${title} - ${provider}`, "", doc);
  const sections = [
    `# ${type} (${title})`,
    escapeHtml(doc),
    ...usage(example),
    ...(kind === "list resource" ? [listNote] : []),
    ...schemaSection(declaration, declaration.timeouts),
    ...importSection(declaration, example),
  ];
  return { front, sections };
}

const listNote =
  "The arguments are set in the `config` block of a `list` block, for `terraform query` (Terraform 1.14 or newer).";

function functionPage(
  declaration: FunctionDeclaration,
  provider: string,
  example: ReferenceExample | undefined,
): Page {
  const { name, doc, deprecated, parameters, returns } = declaration;
  const items = Object.entries(parameters).map(
    ([key, each], at) => `${at + 1}. ${parameterItem(key, each)}`,
  );
  const front = frontMatter(`${name} function - ${provider}`, "", doc);
  const sections = [
    `# ${name} (Function)`,
    escapeHtml(doc),
    ...(deprecated === undefined ? [] : [`**Deprecated:** ${deprecated}.`]),
    ...usage(example),
    "## Signature",
    fence("text", signature(provider, declaration)),
    ...(items.length === 0 ? [] : ["## Arguments", items.join("\n")]),
    "## Result",
    typeName(returns),
    ...nested(returns),
    ...(declaration.example === undefined ? [] : [fence("text", declaration.example)]),
  ];
  return { front, sections };
}

const linkItem = (name: string, path: string, doc: string): string =>
  `[\`${name}\`](${path}.md): ${escapeHtml(firstSentence(doc))}`;

/**
 * Writes the metadata at the top of a page for registries: its title, its group in the navigation, and a
 * description.
 *
 * @param subcategory the group; empty for no group, undefined for the page of a provider, which must not have any
 */
function frontMatter(title: string, subcategory: string | undefined, doc: string): string {
  return [
    "---",
    `page_title: ${JSON.stringify(title)}`,
    ...(subcategory === undefined ? [] : [`subcategory: ${JSON.stringify(subcategory)}`]),
    "description: |-",
    // Registries show it as plain text.
    `  ${firstSentence(doc).replaceAll("`", "")}`,
    "---",
  ].join("\n");
}

function signature(provider: string, { name, parameters, returns }: FunctionDeclaration): string {
  const given = Object.entries(parameters).map(
    ([key, each]) =>
      `${wireName(key, each)} ${typeName(each.type).toLowerCase()}${each.isVariadic ? "..." : ""}`,
  );
  return `provider::${provider}::${name}(${given.join(", ")}) ${typeName(returns).toLowerCase()}`;
}

function parameterItem(key: string, parameter: Parameter): string {
  const { type, doc, allowNull, allowUnknown, isVariadic } = parameter;
  const words = [
    typeName(type),
    ...(isVariadic ? ["Variadic"] : []),
    ...(allowNull === true ? ["Nullable"] : []),
  ];
  const unknown = allowUnknown === true ? " May be known only after apply." : "";
  const line = `\`${wireName(key, parameter)}\` (${words.join(", ")}) ${doc}${unknown}`;
  const rules = [...values(type), ...ruleDocs(type)].map((text) => `   - ${escapeHtml(text)}`);
  return [
    escapeHtml(line),
    ...rules,
    ...nested(type).map((text) => text.replaceAll(/^/gm, "   ")),
  ].join("\n");
}

function nested(type: Type): string[] {
  const attributes = objectFields(type) ?? {};
  const items = Object.entries(attributes).map(([key, each]) =>
    attributeItem(key, each, { attributes }),
  );
  return items.length === 0 ? [] : [bullets(items)];
}

/** The section Import; empty if the resource cannot be imported. */
function importSection(declaration: Declaration, example: ReferenceExample | undefined): string[] {
  const address = `${declaration.type}.${nameInExample(declaration.type, example)}`;
  const { identity } = declaration;
  const sections = [
    ...byId(declaration, address),
    ...(identity === undefined ? [] : byIdentity(identity, address)),
  ];
  return sections.length === 0 ? [] : ["## Import", ...sections];
}

function byId(declaration: Declaration, address: string): string[] {
  const forms = importForms(declaration);
  const [form] = forms;
  if (form === undefined) return [];
  const ids = bullets(forms.map((each) => `\`${each}\``));
  const which =
    forms.length === 1
      ? `The ID has the form \`${form}\`.`
      : `The ID has one of these forms. The first one that matches applies:\n\n${ids}`;
  return [
    which,
    "With an `import` block (Terraform 1.5 or newer):",
    fence("terraform", `import {\n  to = ${address}\n  id = "${form}"\n}`),
    "With the command:",
    fence("shell", `terraform import ${address} '${form}'`),
    "In TypeScript, call `importFrom` of the resource with the ID.",
  ];
}

function byIdentity({ attributes }: Identity, address: string): string[] {
  const named = Object.entries(attributes);
  const names = named.map(([name, attribute]) => wireName(name, attribute));
  const width = Math.max(...names.map((name) => name.length));
  const lines = named.map(([name, attribute]) => {
    const wire = wireName(name, attribute);
    return `    ${wire.padEnd(width)} = ${placeholder(wire, attribute.type)}`;
  });
  const group = (title: string, presence: string): string[] => {
    const items = named.filter(([, attribute]) => attribute.presence === presence);
    if (items.length === 0) return [];
    return [
      `#### ${title}`,
      bullets(items.map(([name, each]) => attributeItem(name, each, { attributes }))),
    ];
  };
  return [
    "By the resource's identity (Terraform 1.12 or newer):",
    fence("terraform", `import {\n  to = ${address}\n  identity = {\n${lines.join("\n")}\n  }\n}`),
    "### Identity Schema",
    ...group("Required", "required"),
    ...group("Optional", "optional"),
  ];
}

function placeholder(name: string, type: Type): string {
  if (type.kind === "list") return `[${placeholder(name, type.of)}]`;
  if (type.kind === "string") return `"{${name}}"`;
  return type.kind === "bool" ? "true" : "1";
}
