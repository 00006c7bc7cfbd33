import { join } from "node:path";
import { exactVersions, filledIn, pathInProject, textsIn } from "./template-files";
import { parseTrustedJson } from "../../core/json/plain-json";

/** The properties that determine the content of a provider's project. */
interface ProviderDescription {
  /** Name of the provider. */
  readonly name: string;
  /** Its source address, such as `example.com/acme/notes`. */
  readonly source: string;
  /** The folder of the templates, `templates/provider` of this package. */
  readonly templates: string;
  /** The exact version of each package that the project can depend on. */
  readonly versions: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
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

function manifest(text: string, versions: Readonly<Record<string, string>>): string {
  const base = parseTrustedJson(text) as Manifest;
  const complete = {
    ...base,
    dependencies: exactVersions(Object.keys(base.dependencies), versions),
    devDependencies: exactVersions(Object.keys(base.devDependencies), versions),
  };
  return `${JSON.stringify(complete, undefined, 2)}\n`;
}
