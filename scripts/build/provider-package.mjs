// @ts-check
import { createHash } from "node:crypto";
import { bundle } from "./bundle.mjs";
import { launcher, nodeCheck } from "./launcher.mjs";
import { providerEntry } from "../providers.mjs";

const entryName = "provider";
/** Used in the bundle until the version, which depends on the bundle, is known. */
const versionPlaceholder = "0.0.0-version-of-this-build";

/**
 * @typedef {object} ProviderPackage
 * @property {string} name
 * @property {string} version
 * @property {string} executable file name that Terraform looks for
 * @property {ReadonlyMap<string, string>} files file name to content
 */

/**
 * Builds the package of one provider: a launcher, the bundle, and the files that it loads on demand.
 *
 * @param {{ root: string, name: string, release: string | undefined, minimumNode: string }} options
 *   `release` is the version of a release build
 * @returns {Promise<ProviderPackage>}
 */
export async function providerPackage({ root, name, release, minimumNode }) {
  const bundled = await bundle({
    root,
    entry: providerEntry(name),
    name: entryName,
    define: { "process.env.TRIVET_PROVIDER_VERSION": JSON.stringify(versionPlaceholder) },
    banner: nodeCheck({ name, minimumNode }),
  });
  bundled.set("launcher", launcher({ name, entry: `${entryName}.cjs`, minimumNode }));
  const version = release ?? developmentVersion(bundled);
  const executable = `terraform-provider-${name}_v${version}`;
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const [fileName, text] of bundled) {
    files.set(
      fileName === "launcher" ? executable : fileName,
      text.replaceAll(versionPlaceholder, version),
    );
  }
  return { name, version, executable, files };
}

/**
 * The version of a build that is not a release: `0.0.<48 bits of its content>-dev`.
 *
 * Different content has a different version, since Terraform's lock file binds a version to its checksum.
 * The hash is in the patch number because cdktf ignores everything after it when it decides whether to
 * run `terraform init -upgrade`. "-dev" makes it a pre-release, which only an exact constraint selects.
 *
 * @param {ReadonlyMap<string, string>} files
 */
export function developmentVersion(files) {
  const hash = createHash("sha256");
  for (const fileName of [...files.keys()].sort()) {
    hash.update(JSON.stringify([fileName, files.get(fileName)]));
  }
  return `0.0.${hash.digest().readUIntBE(0, 6)}-dev`;
}
