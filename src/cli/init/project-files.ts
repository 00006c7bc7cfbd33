import { join } from "node:path";
import { pipelineFiles } from "./pipeline-files";
import type {
  Library,
  PipelineService,
  ProjectKind,
  ProjectProduct,
  StateBackend,
} from "./project-kind";
import { exactVersions, filledIn, pathInProject, textsIn } from "./template-files";
import { parseTrustedJson } from "../../core/json/plain-json";

/** The properties that determine the content of a project. */
interface ProjectDescription {
  readonly kind: ProjectKind;
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
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * The folders of a kind's templates, in the order of their parts of the README. If several have a file or a
 * script, the first folder applies.
 */
const folders: Readonly<Record<ProjectKind, readonly string[]>> = {
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
  const pipeline = project.ci && pipelineFiles(project.ci, project.templates, project.kind);
  for (const [path, text] of pipeline ?? []) {
    if (path === "README.md") readme.push(text);
    else files.set(path, text);
  }
  files.set("README.md", readme.join("\n"));
  files.set("package.json", manifest(files.get("package.json") ?? "{}", scripts, project));
  return filledIn(files, (path, text) => adapted(path, text, project));
}

function manifest(
  template: string,
  scripts: Readonly<Record<string, string>>,
  { library, versions }: ProjectDescription,
): string {
  const base = parseTrustedJson(template) as Manifest;
  const exact = (dependencies: Readonly<Record<string, string>>) =>
    exactVersions(
      Object.keys(dependencies).map((name) => (name === "cdktf" ? library : name)),
      versions,
    );
  const complete = {
    ...base,
    scripts: { ...base.scripts, ...scripts },
    dependencies: exact(base.dependencies),
    devDependencies: exact(base.devDependencies),
  };
  return `${JSON.stringify(complete, undefined, 2)}\n`;
}

/** Fills in the project's name, and the library. The templates are written for cdktf. */
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

/** Lets each stack keep its state as `state.ts` says, but for a template, whose states are the platform's. */
const withState = (main: string): string =>
  main
    .replaceAll(/^new (?:Watch|Image)Stack\(.*\)(?=;$)/gm, "keepState($&)")
    .replace(/(?<=^import .*\n)(?!import )/m, 'import { keepState } from "./state";\n');
