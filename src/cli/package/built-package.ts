import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError } from "../invocation/command-error";
import { parseTrustedJson } from "../../core/json/plain-json";

/** A provider package that the build wrote to `dist/providers`. */
export interface BuiltPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** The file that Terraform starts. */
  readonly executable: string;
}

/**
 * Returns the packages of a checkout or an installed `trivet`.
 *
 * @throws CommandError if the providers are not built
 */
export async function builtPackages(root: string): Promise<readonly BuiltPackage[]> {
  const folder = join(root, "dist", "providers");
  const versions = await readVersions(join(folder, "versions.json"));
  return Object.entries(versions).map(([name, version]) => ({
    name,
    version,
    folder: join(folder, name),
    executable: `terraform-provider-${name}_v${version}`,
  }));
}

/** Checks whether a version is that of a development build, which is derived from its content. */
export function isDevelopmentVersion(version: string): boolean {
  return version.endsWith("-dev");
}

async function readVersions(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    return parseTrustedJson(await readFile(path, "utf8")) as Record<string, string>;
  } catch (cause) {
    throw new CommandError(
      `The providers are not built: ${path} cannot be read.`,
      "Run `npm run build` in the checkout, or reinstall the package.",
      undefined,
      { cause },
    );
  }
}
