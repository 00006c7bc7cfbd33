import type { Declaration, DeclarationKind } from "../declaration";
import type { FunctionDeclaration } from "../function";
import { metaSection, schemaSection } from "./fields";
import { frontMatter } from "./front-matter";
import { functionSections } from "./function";
import { importSection } from "./import";
import { bullets, escapeHtml, firstSentence } from "./markdown";
import { type ReferenceExample, usage } from "./usage";

/** What a provider offers, for {@link referencePages}. */
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
  /** What modules can tell the provider. @default nothing */
  readonly providerMeta?: Declaration | undefined;
  /** Examples by the path of their page without its ending: `index`, `resources/endpoint`. @default none */
  readonly examples?: ReadonlyMap<string, ReferenceExample> | undefined;
}

/** Where registries expect the pages of a kind, and how they name it. */
const kinds: Readonly<Record<DeclarationKind, Readonly<Record<"folder" | "title", string>>>> = {
  provider: { folder: "", title: "Provider" },
  "provider meta": { folder: "", title: "Provider Meta" },
  resource: { folder: "resources", title: "Resource" },
  "data source": { folder: "data-sources", title: "Data Source" },
  "ephemeral resource": { folder: "ephemeral-resources", title: "Ephemeral Resource" },
  "list resource": { folder: "list-resources", title: "List Resource" },
  action: { folder: "actions", title: "Action" },
};

/**
 * The reference of a provider in the layout that Terraform registries expect: the content of its `docs`
 * folder, in Markdown.
 *
 * Everything but the examples is derived from the declarations.
 *
 * @returns path to content; the paths are `index.md`, `resources/NAME.md`, `data-sources/NAME.md`,
 * `ephemeral-resources/NAME.md`, `list-resources/NAME.md`, `actions/NAME.md` and `functions/NAME.md`, and the names are the types without the provider's name
 *
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
  return new Map([
    [
      "index.md",
      indexPage(provider, offered, functions, examples?.get("index"), options.providerMeta),
    ],
    ...offered.map((declaration): [string, string] => {
      const path = pagePath(declaration, provider.type);
      return [`${path}.md`, declarationPage(declaration, provider.type, examples?.get(path))];
    }),
    ...functions.map((declaration): [string, string] => {
      const path = `functions/${declaration.name}`;
      return [`${path}.md`, functionPage(declaration, provider.type, examples?.get(path))];
    }),
  ]);
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
): string {
  const { type, doc } = provider;
  return page(frontMatter(`${type} Provider`, undefined, doc), [
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
  ]);
}

function declarationPage(
  declaration: Declaration,
  provider: string,
  example: ReferenceExample | undefined,
): string {
  const { kind, type, doc } = declaration;
  const { title } = kinds[kind];
  return page(frontMatter(`${type} ${title} - ${provider}`, "", doc), [
    `# ${type} (${title})`,
    escapeHtml(doc),
    ...usage(example),
    ...(kind === "list resource" ? [listNote] : []),
    ...schemaSection(declaration, declaration.timeouts),
    ...importSection(declaration, example),
  ]);
}

const listNote =
  "The arguments are set in the `config` block of a `list` block, for `terraform query` (Terraform 1.14 or newer).";

function functionPage(
  declaration: FunctionDeclaration,
  provider: string,
  example: ReferenceExample | undefined,
): string {
  const { name, doc } = declaration;
  const front = frontMatter(`${name} function - ${provider}`, "", doc);
  return page(front, functionSections(provider, declaration, example));
}

const linkItem = (name: string, path: string, doc: string): string =>
  `[\`${name}\`](${path}.md): ${escapeHtml(firstSentence(doc))}`;

const mark = "<!-- generated by npm run gen, do not edit -->";

const page = (front: string, parts: readonly string[]): string =>
  [front, mark, ...parts].join("\n\n").concat("\n");
