import { existsSync } from "node:fs";
import { dirname, extname, join, relative, sep } from "node:path";
import { attest } from "../../core/signing/attest/declare";
import { sign } from "../../core/signing/sign/declare";
import { endpoint } from "../../core/ids/endpoint/declare";
import { propertiesOf } from "../../core/json/plain-json";
import { builtRoutes } from "../../planner/offline-plan/catalog";
import { manifestIn, ownPackage, packageRoot } from "../../core/process/package-root";
import type { ProviderRoutes } from "../../core/provider-kit/protocol";
import { classNameOf, type Declaration, didYouMean } from "../../core/schema";
import { CommandError, ExitCode } from "../invocation/failure";
import { builtPackages } from "../package/built-package";
import { providerFile } from "../project-providers/provider-file";
import { providersIn } from "../project-providers/providers-in-process";
import type { Project } from "../synthesis/project";
import { quoted } from "./source-text";

export interface Importable {
  readonly declaration: Declaration;
  readonly source: string;
  readonly routes: ProviderRoutes;
  /** The class of its constructs, such as `ids.Endpoint`. */
  readonly className: string;
  /** The import declarations that the class needs. */
  readonly imports: readonly string[];
  /** True if the provider also lists other types, whose resources can have the same names. */
  readonly isOneOfSeveral: boolean;
  /** The statement that creates the class; undefined if it is imported. */
  readonly definition: string | undefined;
}

/** The types that the providers of this package list. */
const ours = [
  { declaration: endpoint, source: "trivet.local/trivet/ids", className: "ids.Endpoint" },
  { declaration: sign, source: "trivet.local/trivet/signing", className: "signing.Sign" },
  { declaration: attest, source: "trivet.local/trivet/signing", className: "signing.Attest" },
] as const;

/** Why other types of this package cannot be imported, by prefix. */
const unlisted = {
  signing_copy:
    "A registry does not record the source of a copy. Declare the copy: images that already exist are not copied again.",
  workspace_:
    "Each build of a workspace creates its resources, so nothing can be imported. Declare them.",
} as const;

/**
 * Finds the provider that lists a type, in this package or in the project.
 *
 * @param target the folder of the file that uses the class
 * @throws CommandError if no provider does
 */
export async function findImportable(
  type: string,
  project: Project,
  target: string,
): Promise<Importable> {
  const constructs = constructsPackage(project);
  const own = ours.find(({ declaration }) => declaration.type === type);
  if (own !== undefined) {
    const routes = builtRoutes(await builtPackages(packageRoot()))(own.source);
    if (routes === undefined) throw new Error(`the build has no provider ${own.source}`);
    const [namespace] = own.className.split(".");
    const imports = [`import { ${namespace} } from "${constructs}";`];
    const isOneOfSeveral = ours.filter(({ source }) => source === own.source).length > 1;
    return { ...own, routes, imports, isOneOfSeveral, definition: undefined };
  }
  const types: string[] = ours.map(({ declaration }) => declaration.type);
  const file = providerFile(project);
  for (const provider of file === undefined ? [] : providersIn(file, project)) {
    const { source, routes, definition, exportedName } = provider;
    const lists = definition.listResources ?? [];
    types.push(...lists.map(({ declaration }) => declaration.type));
    const declaration = lists.find((each) => each.declaration.type === type)?.declaration.resource;
    if (file === undefined || declaration === undefined) continue;
    const name = exportedName(declaration) ?? refuseUnexported(type, file.path);
    const className = classNameOf(declaration);
    const imports = [
      `import { construct } from "${constructs}";`,
      `import { ${name} } from ${quoted(moduleName(file.path, target))};`,
    ];
    const made = `const ${className} = construct(${name});`;
    const isOneOfSeveral = lists.length > 1;
    return { declaration, source, routes, className, imports, isOneOfSeveral, definition: made };
  }
  const [, reason] = Object.entries(unlisted).find(([start]) => type.startsWith(start)) ?? [];
  throw new CommandError(
    `No provider lists resources of type "${type}"${reason === undefined ? didYouMean(type, types) : "."}`,
    reason ?? `These types can be imported: ${types.join(", ")}.`,
    ExitCode.usage,
  );
}

function refuseUnexported(type: string, path: string): never {
  throw new CommandError(
    `${path} does not export the declaration of ${type}.`,
    "Export it: the class of the constructs is created from it.",
  );
}

/** The module with the constructs, for the project's cdktf or cdktn. */
function constructsPackage({ folder }: Project): string {
  const { dependencies, devDependencies } = manifestIn(folder);
  const all = { ...propertiesOf(devDependencies), ...propertiesOf(dependencies) };
  return `${ownPackage().name}${"cdktn" in all && !("cdktf" in all) ? "/cdktn" : ""}`;
}

/** The module name by which a file in the target folder imports another file. */
function moduleName(path: string, target: string): string {
  const plain = relative(target, path).split(sep).join("/").slice(0, -extname(path).length);
  const isModule = manifestIn(nearestManifest(target))["type"] === "module";
  return `${plain.startsWith(".") ? "" : "./"}${plain}${isModule ? ".js" : ""}`;
}

function nearestManifest(folder: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, "package.json")) || above === folder
    ? folder
    : nearestManifest(above);
}
