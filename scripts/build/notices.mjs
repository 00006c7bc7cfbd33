// @ts-check
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadSource } from "../source.mjs";

/** @typedef {import("../../src/cli/provider-package/index.js").Notices} Notices */

/** @type {typeof import("../../src/cli/provider-package/index.js")} */
export const pack = await loadSource("src/cli/provider-package/index.ts");

/**
 * What our packages may contain besides permissive licences: SPDX licences, and packages as `name@version`. Read the
 * licence, and do what it asks for, before you add one.
 *
 * @type {readonly string[]}
 */
export const permitted = [];

/**
 * What has to be passed on with a bundle of ours that is no provider.
 *
 * @param {string} root
 * @param {import("esbuild").BuildResult<{ metafile: true, write: false }>} bundle with the legal comments in
 *   files of their own
 */
export async function noticesOfBundle(root, { metafile, outputFiles }) {
  const modules = pack.bundledModules(metafile);
  return await explained(
    pack.noticesFor(root, { modules, comments: pack.legalComments(outputFiles) }, permitted),
  );
}

/**
 * What npm installs with a package of ours.
 *
 * @param {string} root
 * @param {Readonly<Record<string, string>>} dependencies
 */
export async function installedNotices(root, dependencies) {
  const modules = Object.keys(dependencies).map((name) => `node_modules/${name}/package.json`);
  return await explained(pack.noticesFor(root, { modules, comments: [] }, permitted));
}

/**
 * Writes the licences of everything in the npm package, and of what npm installs with it.
 *
 * @param {string} root
 * @param {readonly Notices[]} bundles
 * @param {{ dependencies: Readonly<Record<string, string>> }} manifest
 * @returns what it has written
 */
export async function writeOwnNotices(root, bundles, { dependencies }) {
  const notices = pack.uniteNotices([...bundles, await installedNotices(root, dependencies)]);
  await writeFile(join(root, pack.noticesFile), pack.licenceNotices(notices));
  return notices;
}

/**
 * Ends the process if a package must not be bundled.
 *
 * @template Result
 * @param {Promise<Result>} result
 */
export async function explained(result) {
  try {
    return await result;
  } catch (failure) {
    if (!pack.isLicenceError(failure)) throw failure;
    console.error(`These packages must not be part of a release:\n${failure.message}`);
    console.error(
      "Replace them, or read their licences and add them to `permitted` in scripts/build/notices.mjs.",
    );
    return process.exit(1);
  }
}
