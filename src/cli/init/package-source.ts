import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { parseTrustedJson, type Properties, propertiesOf } from "../../core/json/plain-json";
import { manifestIn, type OwnPackage } from "../../core/process/package-root";
import { CommandError, ExitCode } from "../invocation/failure";

/** The kit is packed from the folder that the build writes. */
const pack = "`npm pack`, or `npm pack ./dist/packages/provider-kit` for a provider,";

/**
 * Returns the dependency on this package for the `package.json` of a new project.
 *
 * @param named the value of `--package`, if any
 * @param project the absolute path of the project's folder
 * @throws CommandError if it cannot be installed
 */
export const packageSource = (
  named: string | undefined,
  project: string,
  workingFolder: string,
  installed: OwnPackage,
): string =>
  named === undefined
    ? sourceOfInstalled(installed, project)
    : sourceOfNamed(named, workingFolder, project);

/**
 * Returns the dependency that installs the same package: its version, or the file from which it was installed.
 *
 * @throws CommandError if this package was not installed, but runs from a checkout
 */
function sourceOfInstalled({ root, name, version }: OwnPackage, project: string): string {
  // The folder of the scope is in between.
  const modules = dirname(dirname(root));
  if (basename(modules) !== "node_modules") {
    throw new CommandError(
      `${root} is a checkout, which a project cannot install.`,
      `Run ${pack} there, and pass the resulting file with --package.`,
      ExitCode.usage,
    );
  }
  const file = installedFile(join(modules, ".package-lock.json"), name);
  return file === undefined ? version : fileSource(resolve(dirname(modules), file), project);
}

/**
 * Returns the dependency on a package that the user chose: the path of a file, or anything else that npm understands.
 *
 * @throws CommandError if the file does not exist
 */
function sourceOfNamed(name: string, workingFolder: string, project: string): string {
  const isPath = name.endsWith(".tgz") && !/^[a-z+]+:/.test(name);
  if (!isPath) return name;
  const file = resolve(workingFolder, name);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    return fileSource(file, project);
  throw new CommandError(
    `The package ${file} does not exist.`,
    `Run ${pack} in a checkout, and pass the resulting file with --package.`,
    ExitCode.usage,
  );
}

/** npm resolves the path relative to the project. */
const fileSource = (file: string, project: string): string =>
  `file:${relative(project, file).replaceAll(sep, "/")}`;

/**
 * Returns the file from which npm installed a package, relative to the folder with `node_modules`; undefined if it came from a
 * registry.
 *
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json#hidden-lockfiles
 */
function installedFile(lock: string, name: string): string | undefined {
  if (!existsSync(lock)) return undefined;
  const { packages } = parseTrustedJson(readFileSync(lock, "utf8")) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
  };
  const resolved = packages?.[`node_modules/${name}`]?.resolved;
  return resolved?.startsWith("file:") === true ? resolved.slice("file:".length) : undefined;
}

/**
 * Returns the dependencies of an existing project, whose pipeline would run this package, and no other of its name.
 *
 * @throws CommandError if the project does not depend on the package
 */
export function dependenciesOf(folder: string, name: string): Properties {
  const content = manifestIn(folder);
  const all = ["dependencies", "devDependencies"].map((kind) => propertiesOf(content[kind]));
  const dependencies = Object.assign({}, ...all) as Properties;
  if (name in dependencies) return dependencies;
  throw new CommandError(
    `${join(folder, "package.json")} does not depend on ${name}, which the pipeline runs.`,
    `Run \`npm install ${name}\` first. Otherwise, a runner would install whatever package has this name.`,
  );
}

/** Returns the dependencies on files that are only on this machine, so that a runner does not have them. */
export function missingOnRunner(dependencies: Properties, folder: string): readonly string[] {
  return Object.entries(dependencies).flatMap(([name, source]) => {
    const [, scheme, path = ""] =
      /^(file:|link:|portal:|(?=\.{0,2}\/|~\/))(.*)$/.exec(String(source)) ?? [];
    if (scheme === undefined) return [];
    const [first] = relative(folder, resolve(folder, path)).split(sep);
    const isElsewhere = isAbsolute(path) || first === ".." || first === "node_modules";
    const isHere = !isElsewhere && existsSync(join(folder, path));
    return isHere ? [] : [`${name}: ${String(source)}`];
  });
}
