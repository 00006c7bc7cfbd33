import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { parsedJson, propertiesOf } from "../../../src/core/json/plain-json";
import { isForeign } from "../../../src/core/process/files";

/**
 * Returns the path of the command `trivet` that is installed in a folder or in the nearest parent; undefined if it is not
 * installed.
 *
 * @param root the folder that the user has opened; nothing above it is trusted
 */
export function installedCommand(folder: string, root: string): string | undefined {
  const command = commandOf(join(folder, "node_modules", "@trivet", "constructs"));
  if (command !== undefined || folder === root) return command;
  const parent = dirname(folder);
  return parent === folder ? undefined : installedCommand(parent, root);
}

/** Returns the command of a package. It must be a file of the package, and must not belong to another user. */
function commandOf(installed: string): string | undefined {
  try {
    const folder = realpathSync(installed);
    const { bin } = propertiesOf(parsedJson(readFileSync(join(folder, "package.json"), "utf8")));
    const { trivet } = propertiesOf(bin);
    if (typeof trivet !== "string") return undefined;
    const command = realpathSync(join(folder, trivet));
    const [first] = relative(folder, command).split(sep);
    return first === ".." || isForeign(folder) || isForeign(command) ? undefined : command;
  } catch {
    return undefined;
  }
}
