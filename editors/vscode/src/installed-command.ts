import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsedJson, propertiesOf } from "../../../src/json/plain-json";

/**
 * Returns the path of the command `trivet` that is installed in a folder or in the nearest one above it: the one that
 * `npx --no @trivet/constructs` runs there. Returns undefined if there is none.
 */
export function installedCommand(folder: string): string | undefined {
  const installed = join(folder, "node_modules", "@trivet", "constructs");
  const command = commandOf(installed);
  if (command !== undefined) return join(installed, command);
  const parent = dirname(folder);
  return parent === folder ? undefined : installedCommand(parent);
}

function commandOf(installed: string): string | undefined {
  try {
    const { bin } = propertiesOf(parsedJson(readFileSync(join(installed, "package.json"), "utf8")));
    const { trivet } = propertiesOf(bin);
    return typeof trivet === "string" ? trivet : undefined;
  } catch {
    return undefined;
  }
}
