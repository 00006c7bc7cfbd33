import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseTrustedJson } from "../../core/json/plain-json";
import type {
  Library,
  PipelineService,
  ProjectKind,
  ProjectProduct,
  StateBackend,
} from "./project-kind";

/** The properties that determine the content of a project. */
interface ProjectDescription {
  /** A converted project has the constructs of a configuration in HCL. */
  readonly kind: ProjectKind | "converted";
  readonly library: Library;
  /** Undefined unless it is a template. */
  readonly product: ProjectProduct | undefined;
  readonly backend: StateBackend;
  /** Name of the package, and of the project in its README. */
  readonly name: string;
  /** The service whose pipelines deploy it. */
  readonly ci: PipelineService | undefined;
  /** The folder of the templates, `templates/init` of this package. */
  readonly templates: string;
  /** The exact version of each package that a project can depend on. */
  readonly versions: Readonly<Record<string, string>>;
  /** Files that replace those of the templates. */
  readonly changed?: ReadonlyMap<string, string>;
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * The folders with the templates of a kind, in the order of their parts of the README. If several contain the same file or
 * script, the first one applies.
 */
const folders: Readonly<Record<ProjectDescription["kind"], readonly string[]>> = {
  converted: ["project", "converted"],
  ids: ["project", "ids"],
  template: ["project", "template"],
  signing: ["project", "signing"],
  all: ["project", "all", "ids", "template", "signing"],
};

/** Returns the files of a new project: their content, by their path in the project. */
export function projectFiles(project: ProjectDescription): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const readme: string[] = [];
  let scripts: Readonly<Record<string, string>> = {};
  const ofProduct = project.product === "coder" ? ["coder"] : [];
  const ofBackend = project.backend === "local" ? [] : [`state-${project.backend}`];
  for (const folder of [...ofProduct, ...folders[project.kind], ...ofBackend]) {
    for (const [path, text] of textsIn(join(project.templates, folder))) {
      if (path === "README.md") readme.push(text);
      else if (path === "scripts.json")
        scripts = { ...(parseTrustedJson(text) as Manifest["scripts"]), ...scripts };
      else if (!files.has(pathInProject(path))) files.set(pathInProject(path), text);
    }
  }
  const pipeline =
    project.ci && project.kind !== "converted"
      ? pipelineFiles(project.ci, project.templates, project.kind)
      : undefined;
  for (const [path, text] of pipeline ?? []) {
    if (path === "README.md") readme.push(text);
    else files.set(path, text);
  }
  for (const [path, text] of project.changed ?? []) files.set(path, text);
  files.set("README.md", readme.join("\n"));
  const template = files.get("package.json") ?? "{}";
  const { library, versions } = project;
  files.set(
    "package.json",
    manifest(template.replace('"cdktf":', `"${library}":`), versions, scripts),
  );
  return filledIn(files, (path, text) => adapted(path, text, project));
}

function manifest(
  template: string,
  versions: Readonly<Record<string, string>>,
  scripts: Readonly<Record<string, string>> = {},
): string {
  const base = parseTrustedJson(template) as Manifest;
  const complete = {
    ...base,
    scripts: { ...base.scripts, ...scripts },
    dependencies: exactVersions(base.dependencies, versions),
    devDependencies: exactVersions(base.devDependencies, versions),
  };
  return `${JSON.stringify(complete, undefined, 2)}\n`;
}

/** Fills in the names of the project and of the library. The templates are written for cdktf. */
function adapted(
  path: string,
  text: string,
  { library, name, backend }: ProjectDescription,
): string {
  const filled = text.replaceAll("{{name}}", name).replaceAll("{{library}}", library);
  const named = path === "main.ts" && backend !== "local" ? withState(filled) : filled;
  if (library === "cdktf" || !path.endsWith(".ts")) return named;
  return named
    .replaceAll(/"@trivet\/constructs(?=["/])/g, '"@trivet/constructs/cdktn')
    .replaceAll('"cdktf"', '"cdktn"')
    .replaceAll('"cdktf/', '"cdktn/');
}

/** Makes each stack keep its state as `state.ts` says, except for templates, whose states the platform keeps. */
const withState = (main: string): string =>
  main
    .replaceAll(/^new (?:Watch|Image)Stack\(.*\)(?=;$)/gm, "keepState($&)")
    .replace(/(?<=^import .*\n)(?!import )/m, 'import { keepState } from "./state";\n');

/** The deployed stacks of each kind, as arguments in a shell. A template is pushed to a platform instead. */
const deployedStacks: Readonly<Record<ProjectKind, string | undefined>> = {
  ids: "'*'",
  template: undefined,
  signing: "'*'",
  all: "watch image",
};

export const isDeployed = (kind: ProjectKind): boolean => deployedStacks[kind] !== undefined;

/** The paths at which services expect the files of their pipelines. */
const places: Readonly<Record<string, string>> = {
  "stacks.yml": ".github/workflows/stacks.yml",
  "gitlab-ci.yml": ".gitlab-ci.yml",
};

/**
 * Returns the files with which a service tests a project, plans its stacks and deploys them, by their path in the project.
 *
 * @param templates the folder of the templates, `templates/init` of this package
 * @param kind undefined for an existing project, whose stacks are all deployed
 */
export function pipelineFiles(
  service: PipelineService,
  templates: string,
  kind: ProjectKind | undefined,
): ReadonlyMap<string, string> {
  const stacks = (kind === undefined ? undefined : deployedStacks[kind]) ?? "'*'";
  const texts = textsIn(join(templates, `ci-${service}`));
  return filledIn(
    texts.map(([path, text]) => [places[path] ?? path, text]),
    (_, text) => text.replaceAll("{{stacks}}", stacks),
  );
}

/** Returns the content of all files below a folder, by their path in it, with slashes. */
function textsIn(folder: string): (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(folder, file).replaceAll(sep, "/"), readFileSync(file, "utf8")]);
}

/** npm leaves files named `.gitignore` out of packages. */
const pathInProject = (path: string): string => (path === "gitignore" ? ".gitignore" : path);

/** @throws Error if the version of a package is unknown */
function exactVersions(
  dependencies: Readonly<Record<string, string>>,
  versions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const exact = (name: string): readonly [string, string] => {
    const version = versions[name];
    if (version !== undefined) return [name, version];
    throw new Error(`the templates use ${name}, whose version is unknown`);
  };
  return Object.fromEntries(Object.keys(dependencies).map(exact));
}

/** Sorts the files of a project by path, and fills in the names. */
function filledIn(
  files: Iterable<readonly [path: string, text: string]>,
  fill: (path: string, text: string) => string,
): ReadonlyMap<string, string> {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(sorted.map(([path, text]) => [path, fill(path, text)]));
}

/** The properties that determine the content of a provider's project. */
interface ProviderDescription {
  readonly name: string;
  /** The source address, such as `example.com/acme/notes`. */
  readonly source: string;
  /** The folder of the templates, `templates/provider` of this package. */
  readonly templates: string;
  /** The exact version of each package that the project can depend on. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Returns the files of the project of a new provider: their content, by their path in the project. */
export function providerFiles(provider: ProviderDescription): ReadonlyMap<string, string> {
  const { name, source, templates, versions } = provider;
  const files = ["project", "code"]
    .flatMap((folder) => textsIn(join(templates, folder)))
    .map(([path, text]) => [pathInProject(path), text] as const);
  return filledIn(files, (path, text) => {
    const named = text.replaceAll("{{name}}", name).replaceAll("{{source}}", source);
    return path === "package.json" ? manifest(named, versions) : named;
  });
}
