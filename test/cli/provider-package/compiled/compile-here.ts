import { terraformPlatform } from "../../../../src/cli/package/platform";
import { compile } from "../../../../src/cli/provider-package/compiled/compiled-package";
import {
  runtimeFolder,
  runtimeStore,
} from "../../../../src/cli/provider-package/compiled/runtime-store";

/** The runtimes that all tests share, so that each is downloaded once. */
export const runtimes = runtimeStore(runtimeFolder(process.env));

/** Compiles the code of a CommonJS module for this machine. */
export function compileHere(code: string): Promise<Buffer> {
  const platform = terraformPlatform();
  return compile({ code, platform, host: platform, runtimes });
}
