import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Esbuild from "esbuild";
import { hasCode } from "../../core/process/system-error";
import { CommandError } from "../invocation/command-error";

/**
 * Loads the esbuild of the provider's package, or else of the kit. It is an optional peer dependency, because
 * only packing needs it.
 *
 * @param root the folder of the provider's package
 * @throws CommandError if it is not installed
 */
export function loadBundler(root: string): typeof Esbuild {
  for (const from of [join(root, "package.json"), __filename]) {
    try {
      return createRequire(from)("esbuild") as typeof Esbuild;
    } catch (failure) {
      if (!hasCode(failure, "MODULE_NOT_FOUND")) throw failure;
    }
  }
  throw new CommandError(
    "`trivet-provider pack` bundles the provider with esbuild, which is not installed.",
    "Run `npm install --save-dev esbuild` in the provider's folder.",
  );
}
