import type { Declaration, DeclarationKind } from "../declaration";
import type { FunctionDeclaration } from "../function";
import { metaSection, schemaSection } from "./fields";
import { functionSections } from "./function";
import { importSection } from "./import";
import { bullets, escapeHtml, firstSentence, type ReferenceExample, usage } from "./markdown";

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
  const { name, doc } = declaration;
  const front = frontMatter(`${name} function - ${provider}`, "", doc);
  return { front, sections: functionSections(provider, declaration, example) };
}

const linkItem = (name: string, path: string, doc: string): string =>
  `[\`${name}\`](${path}.md): ${escapeHtml(firstSentence(doc))}`;

/**
 * Writes the metadata at the top of a page for registries: its title, its group in the navigation, and a
 * description.
 *
 * @param subcategory the group; empty for no group, undefined for the page of a provider, which must not have
 * one
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
