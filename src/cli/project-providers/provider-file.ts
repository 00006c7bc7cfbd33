import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { CommandError } from "../invocation/failure";
import type { Project } from "../synthesis/project";

/** The package with which providers are written. */
export const kitPackage = "@trivet/provider-kit";

const usualNames = ["providers.ts", "providers.js", "providers.cjs"];

/** The file of a project that exports its own providers. */
export interface ProviderFile {
  readonly path: string;
  /** True if cdktf.json names it. Another file of the usual name may be about something else. */
  readonly isNamed: boolean;
}

/**
 * Finds the file with the providers of a project: the one that `providers` in the context of cdktf.json names, otherwise
 * `providers.ts` beside it. Undefined if the project has none.
 *
 * @throws CommandError if the file that is named does not exist, or the kit is not installed
 */
export function providerFile({ folder, context }: Project): ProviderFile | undefined {
  const named = context?.["providers"];
  if (typeof named === "string" && named !== "") {
    const path = resolve(folder, named);
    if (!existsSync(path)) {
      throw new CommandError(
        `The file of the project's providers does not exist: ${path}.`,
        'Correct "providers" in the context of cdktf.json.',
      );
    }
    if (!hasKit(path)) {
      throw new CommandError(
        `${path} needs the package ${kitPackage}, which is not installed.`,
        `Run \`npm install ${kitPackage}\`.`,
      );
    }
    return { path, isNamed: true };
  }
  const path = usualNames.map((name) => join(folder, name)).find((each) => existsSync(each));
  return path === undefined || !hasKit(path) ? undefined : { path, isNamed: false };
}

/** Without the kit, a file can define no provider. */
function hasKit(path: string): boolean {
  try {
    createRequire(path).resolve(kitPackage);
    return true;
  } catch {
    return false;
  }
}
