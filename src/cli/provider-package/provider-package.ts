import { createHash } from "node:crypto";
import { type Bundler, bundle } from "./bundle";
import type { PackageContent } from "./digests";
import { launcher, nodeCheck } from "./launcher";
import { licenceNotices, type Notices, noticesFile, noticesFor } from "./licences/notices";

const entryName = "provider";
/** Stands for the version in the bundle until the version, which may depend on the bundle, is known. */
export const versionPlaceholder = "0.0.0-version-of-this-build";

/** Replaces the variables from which the program reads its version, and whether its declarations need a check. */
export const definitions = (areTested = false): Readonly<Record<string, string>> => ({
  "process.env.TRIVET_PROVIDER_VERSION": JSON.stringify(versionPlaceholder),
  "process.env.TRIVET_TESTED_DECLARATIONS": JSON.stringify(String(areTested)),
});

/** The package of a provider, as Terraform unpacks it. */
export interface ProviderPackage {
  readonly name: string;
  readonly version: string;
  /** The file that Terraform starts. */
  readonly executable: string;
  /** Text, or the bytes of a compiled executable. */
  readonly files: PackageContent;
  /** The warnings of esbuild. */
  readonly warnings: readonly string[];
  /** The content of {@link noticesFile}. */
  readonly notices: Notices;
}

/** The contents and the settings of a package. */
export interface PackageOptions {
  /** The folder from which modules and packages are found. */
  readonly root: string;
  /** The provider's main module, relative to the folder. */
  readonly entry: string;
  readonly name: string;
  /** @default a development version, derived from the content */
  readonly version?: string | undefined;
  /** The oldest version of Node.js that runs it, such as `20.20`. */
  readonly minimumNode: string;
  /** See {@link LauncherOptions.defersCertificates}. */
  readonly defersCertificates: boolean;
  /** True if tests load all declarations, so that the program need not check them at each start. @default false */
  readonly hasTestedDeclarations?: boolean;
  /** Licences of bundled packages, as for {@link noticesFor}. */
  readonly permitted?: readonly string[] | undefined;
}

/**
 * Builds the package of one provider: a launcher, the bundle, the files that it loads on demand, and the
 * licences of its contents.
 *
 * The program finds its version in `process.env.TRIVET_PROVIDER_VERSION`, which is replaced by it.
 *
 * @throws esbuild's failure if the provider cannot be bundled
 * @throws LicenceError if a package must not be bundled
 */
export async function providerPackage(
  bundler: Bundler,
  { version: release, permitted, ...options }: PackageOptions,
): Promise<ProviderPackage> {
  const { root, entry, name, minimumNode, defersCertificates, hasTestedDeclarations } = options;
  const bundled = await bundle(bundler, {
    root,
    entry,
    name: entryName,
    define: definitions(hasTestedDeclarations),
    banner: nodeCheck({ name, minimumNode }),
  });
  const start = launcher({ name, minimumNode, defersCertificates, entry: `${entryName}.cjs` });
  const notices = await noticesFor(root, bundled, permitted);
  const others = new Map([...bundled.files, [noticesFile, licenceNotices(notices)]]);
  const version = release ?? developmentVersion(new Map([...others, ["launcher", start]]));
  const executable = `terraform-provider-${name}_v${version}`;
  const files = new Map<string, string>([[executable, start]]);
  for (const [fileName, text] of others) {
    files.set(fileName, text.replaceAll(versionPlaceholder, version));
  }
  return { name, version, executable, files, warnings: bundled.warnings, notices };
}

/**
 * Returns the version of a build that is not a release: `0.0.<48 bits of its content>-dev`.
 *
 * Different content has a different version, since Terraform's lock file binds a version to its checksum. The
 * hash is in the patch number because cdktf ignores the rest when it decides whether to run
 * `terraform init -upgrade`. "-dev" makes it a pre-release, which only an exact constraint selects.
 */
export function developmentVersion(files: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const fileName of [...files.keys()].sort()) {
    hash.update(JSON.stringify([fileName, files.get(fileName)]));
  }
  return `0.0.${hash.digest().readUIntBE(0, 6)}-dev`;
}
