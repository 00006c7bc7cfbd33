import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Properties, propertiesOf } from "../../core/json/plain-json";
import { manifestIn } from "../../core/process/package-root";
import { CommandError } from "../invocation/failure";

/**
 * Checks that a pipeline of a project that exists would run this package, and no other of its name.
 *
 * @throws CommandError if it does not depend on the package
 */
export function dependenciesOf(folder: string, name: string): Properties {
  const content = manifestIn(folder);
  const all = ["dependencies", "devDependencies"].map((kind) => propertiesOf(content[kind]));
  const dependencies = Object.assign({}, ...all) as Properties;
  if (name in dependencies) return dependencies;
  throw new CommandError(
    `${join(folder, "package.json")} does not depend on ${name}, which the pipeline runs.`,
    `Install it first: \`npm install ${name}\`. A runner would have to take whatever has this name.`,
  );
}

/** Names the dependencies on files that a runner does not have, because they are only on this machine. */
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
