import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { terraformPlatform } from "../src/cli/package/platform";
import { writePackage } from "../src/cli/provider-package";
import { compiledProviders } from "../src/cli/provider-package/compiled/compiled-package";
import {
  runtimeFolder,
  runtimeStore,
  runtimeVersion,
} from "../src/cli/provider-package/compiled/runtime-store";

/** One of our providers as an executable that contains its runtime. */
export interface CompiledProvider {
  readonly executable: string;
  readonly version: string;
  readonly sizeMb: number;
  /** Such as `Bun 1.2.3`. */
  readonly madeWith: string;
}

/**
 * Compiles all of our providers to one executable, as they are released, and writes a copy for each requested provider.
 * npm downloads the runtime unless it is cached.
 *
 * @param root the package's folder
 * @param folder the parent of the providers' folders
 * @param names the providers to write
 * @returns the providers by their names
 */
export async function compileProviders(
  root: string,
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, CompiledProvider>> {
  const list = readFileSync(join(root, "scripts", "providers.json"), "utf8");
  const all = JSON.parse(list) as readonly string[];
  const entries = new Map(all.map((name) => [name, join("src", "core", name, "main.ts")]));
  const { packagesFor } = await compiledProviders(esbuild, {
    root,
    entries,
    hasTestedDeclarations: true,
  });
  const platform = terraformPlatform();
  const runtimes = runtimeStore(runtimeFolder(process.env));
  const compiled = new Map<string, CompiledProvider>();
  for (const made of await packagesFor({ platform, host: platform, runtimes })) {
    if (!names.includes(made.name)) continue;
    const own = join(folder, made.name);
    await writePackage(own, made);
    const executable = join(own, made.executable);
    compiled.set(made.name, {
      executable,
      version: made.version,
      sizeMb: statSync(executable).size / 2 ** 20,
      madeWith: `Bun ${runtimeVersion}`,
    });
  }
  return compiled;
}
