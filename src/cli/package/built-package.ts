import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseTrustedJson } from "../../core/json/plain-json";
import { CommandError } from "../invocation/failure";

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

/** True for the version of a development build, which is derived from its content. */
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

/**
 * Terraform reads each part of an address as a label of a host name. It refuses two hyphens in a row, which could begin an
 * encoded label.
 */
const part = /^(?=.{1,64}$)[a-z\d]+(?:-[a-z\d]+)*$/;
const semanticVersion =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

/** True if Terraform accepts a name in a source address, as the namespace or as the name of the provider. */
export const isAddressPart = (text: string): boolean => part.test(text);

/** The rule of {@link isAddressPart}, for messages. */
export const addressPartRule =
  "1 to 64 lowercase letters, digits and hyphens, with no hyphen at an end and no two in a row";

/** True for a semantic version without build metadata. */
export const isProviderVersion = (text: string): boolean => semanticVersion.test(text);
