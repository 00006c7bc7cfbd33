import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { CommandError, ExitCode } from "../invocation/failure";
import type { OwnPackage } from "../../core/process/package-root";
import { parseTrustedJson } from "../../core/json/plain-json";

/** Constructs are packed from the checkout itself, the kit from the folder that the build has written. */
const pack = "`npm pack`, or `npm pack ./dist/packages/provider-kit` for a provider,";

/** The folder of a new project, and the folder from which it is created. */
interface PackageUse {
  /** The absolute path of its folder. */
  readonly project: string;
  /** The folder to which the path of a package is relative. */
  readonly workingFolder: string;
  /** This package. */
  readonly installed: OwnPackage;
}

/**
 * Returns the dependency on this package for the `package.json` of a new project.
 *
 * @param named the user's choice instead, if any
 * @throws CommandError when it cannot be installed
 */
export function packageSource(
  named: string | undefined,
  { project, workingFolder, installed }: PackageUse,
): string {
  return named === undefined
    ? sourceOfInstalled(installed, project)
    : sourceOfNamed(named, workingFolder, project);
}

/**
 * Returns the dependency that installs the same package: its version, or the file from which it was
 * installed.
 *
 * @param project the absolute path of the project's folder
 * @throws CommandError when this package was not installed, but runs from a checkout
 */
export function sourceOfInstalled(
  { root, name, version }: Pick<OwnPackage, "root" | "name" | "version">,
  project: string,
): string {
  // The folder of a scope is in between.
  const modules = dirname(dirname(root));
  if (basename(modules) !== "node_modules") {
    throw new CommandError(
      `${root} is a checkout, which a project cannot install.`,
      `Run ${pack} there, and pass the file that it creates with --package.`,
      ExitCode.usage,
    );
  }
  const file = installedFile(join(modules, ".package-lock.json"), name);
  return file === undefined ? version : fileSource(resolve(dirname(modules), file), project);
}

/**
 * Returns the dependency on a package that the user names: the path of a file, or anything else that npm
 * understands.
 *
 * @param workingFolder the folder to which a path is relative
 * @throws CommandError when the file does not exist
 */
export function sourceOfNamed(name: string, workingFolder: string, project: string): string {
  const isPath = name.endsWith(".tgz") && !/^[a-z+]+:/.test(name);
  if (!isPath) return name;
  const file = resolve(workingFolder, name);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    return fileSource(file, project);
  throw new CommandError(
    `The package ${file} does not exist.`,
    `Run ${pack} in a checkout, and pass the file that it creates with --package.`,
    ExitCode.usage,
  );
}

/** Returns the path relative to the project, as npm resolves it. */
const fileSource = (file: string, project: string): string =>
  `file:${relative(project, file).replaceAll(sep, "/")}`;

/**
 * Returns the file from which npm installed a package, relative to the folder with `node_modules`; undefined
 * if it came from a registry.
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
