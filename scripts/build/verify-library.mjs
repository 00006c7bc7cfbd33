// @ts-check
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { explained, pack, permitted } from "./notices.mjs";

/** The compiled module that the files replace. */
const module = join("core", "signing", "verify", "image-verifier");

/**
 * Replaces the compiled verifier of images with a bundle of it in `dist/src/core/signing/verify/bundle`, so that its users need
 * none of the packages in it. What is rarely needed, such as the keys of clouds, is in files that are loaded on demand.
 *
 * @param {string} root
 * @returns what is in the bundle
 */
export async function writeVerifyLibrary(root) {
  const made = await pack.splitBundle(
    { ...esbuild, build: (options) => esbuild.build({ ...options, preserveSymlinks: true }) },
    { root, entry: join("src", `${module}.ts`), name: "image-verifier", define: {} },
  );
  for (const warning of made.warnings) console.error(`signing/verify: ${warning}`);
  const folder = join(root, "dist", "src", "core", "signing", "verify");
  await rm(join(folder, "bundle"), { recursive: true, force: true });
  await mkdir(join(folder, "bundle"), { recursive: true });
  for (const [name, { code }] of made.files) {
    await writeFile(join(folder, "bundle", name), `"use strict";${code}`);
  }
  const notices = await explained(pack.noticesFor(root, made, permitted));
  await writeFile(join(folder, "bundle", pack.noticesFile), pack.licenceNotices(notices));
  const load = '"use strict";\nmodule.exports = require("./bundle/image-verifier.cjs");\n';
  await writeFile(join(root, "dist", "src", `${module}.js`), load);
  return notices;
}
