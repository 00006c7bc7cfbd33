// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { providerEntry, providers, root } from "../providers.mjs";
import { loadSource } from "../source.mjs";
import { explained, pack, permitted } from "./notices.mjs";

/** @type {typeof import("../../src/cli/provider-package/compiled/compiled-package.js")} */
const { compiledProviders } = await loadSource(
  "src/cli/provider-package/compiled/compiled-package.ts",
);
/** @type {typeof import("../../src/cli/provider-package/compiled/runtime-store.js")} */
const { runtimeFolder, runtimeStore } = await loadSource(
  "src/cli/provider-package/compiled/runtime-store.ts",
);
/** @type {typeof import("../../src/cli/package/platform.js")} */
const { terraformPlatform } = await loadSource("src/cli/package/platform.ts");
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

/**
 * A release is built in a folder whose `node_modules` is a link. Paths of modules are in the result, so they
 * must not depend on where that link leads.
 *
 * @type {import("../../src/cli/provider-package/bundle.js").Bundler}
 */
const bundler = {
  ...esbuild,
  build: (options) => esbuild.build({ ...options, preserveSymlinks: true }),
};

/**
 * Packages one of our own providers, as `trivet-provider pack` packages those of others.
 *
 * @param {string} folder where to write it
 * @param {{ name: string, version: string | undefined }} provider without a version, a development build
 */
export async function writeOwnPackage(folder, { name, version }) {
  const made = await explained(
    pack.providerPackage(bundler, {
      root,
      entry: providerEntry(name),
      name,
      version,
      minimumNode: manifest.engines.node.replace(/^>=/, ""),
      // `src/core/http` reads the certificates when it first connects.
      defersCertificates: true,
      hasTestedDeclarations: true,
      permitted,
    }),
  );
  for (const warning of made.warnings) console.error(`${name}: ${warning}`);
  return await written(folder, made);
}

/**
 * All of our own providers as one executable, which needs no Node.js.
 *
 * @param {string | undefined} version without one, a development build
 */
export async function ownCompiled(version) {
  const entries = new Map(providers.map(({ name }) => [name, providerEntry(name)]));
  const made = await compiledProviders(bundler, {
    root,
    entries,
    version,
    permitted,
    hasTestedDeclarations: true,
  });
  for (const warning of made.warnings) console.error(warning);
  const runtimes = runtimeStore(runtimeFolder(process.env));
  const host = terraformPlatform();
  return {
    ...made,
    /** @param {string} platform */
    packagesFor: (platform = host) => made.packagesFor({ platform, host, runtimes }),
  };
}

/**
 * Writes our own providers as executables for this machine.
 *
 * @param {string} folder where to write a folder for each
 * @param {string | undefined} version without one, a development build
 */
export async function writeOwnCompiled(folder, version) {
  const { packagesFor } = await ownCompiled(version);
  const packages = [];
  for (const made of await packagesFor()) {
    packages.push(await written(join(folder, made.name), made));
  }
  return packages;
}

/**
 * @param {string} folder
 * @param {import("../../src/cli/provider-package/index.js").ProviderPackage} made
 */
async function written(folder, made) {
  const changed = await pack.writePackage(folder, made);
  return { ...made, changed, hash: pack.contentHash(made.files) };
}
