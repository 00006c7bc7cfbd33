import type { Bundler } from "../bundle";
import {
  type ProviderPackage,
  developmentVersion,
  versionDefinition,
  versionPlaceholder,
} from "../provider-package";
import { compile, type CompileOptions } from "./compile";
import { oneFile, type Programs } from "./one-file";
import { runtimeVersion } from "./runtime";

/** What to compile. */
interface CompiledOptions extends Pick<Programs, "root" | "entries"> {
  /** @default a development version, derived from the code */
  readonly version?: string | undefined;
}

/** Providers that are ready to be compiled for any platform. */
export interface CompiledProviders {
  readonly version: string;
  /** The names of the providers. */
  readonly names: readonly string[];
  /** What esbuild warned of. */
  readonly warnings: readonly string[];
  /** The modules that are in the executable, as paths from the root. */
  readonly modules: readonly string[];
  /**
   * Compiles one executable with all providers, and returns the package of each.
   *
   * @throws Error if there is no runtime for a platform, or if Bun fails
   */
  readonly packagesFor: (
    target: Pick<CompileOptions, "platform" | "host" | "runtimes">,
  ) => Promise<readonly ProviderPackage[]>;
}

/**
 * Prepares providers that are one executable each, which needs no Node.js. The executable contains all of them,
 * and starts the one whose name it has, so the same file can be in the package of each.
 *
 * @throws esbuild's failure if a provider cannot be bundled
 */
export async function compiledProviders(
  bundler: Bundler,
  { root, entries, version: release }: CompiledOptions,
): Promise<CompiledProviders> {
  const bundled = await oneFile(bundler, { root, entries, define: versionDefinition });
  const parts = new Map([
    ["code", bundled.code],
    ["runtime", runtimeVersion],
  ]);
  const version = release ?? developmentVersion(parts);
  const code = bundled.code.replaceAll(versionPlaceholder, version);
  const { warnings, modules } = bundled;
  const names = [...entries.keys()];
  return {
    ...{ version, names, warnings, modules },
    async packagesFor(target) {
      const content = await compile({ ...target, code });
      const extension = target.platform.startsWith("windows_") ? ".exe" : "";
      return names.map((name) => {
        const executable = `terraform-provider-${name}_v${version}${extension}`;
        const files = new Map([[executable, content]]);
        return { name, version, executable, files, warnings, modules };
      });
    },
  };
}
