// @ts-check
// npm run build [-- --release] [--providers] [--compile] [--quiet]
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { deriveCdktnFlavour } from "./build/cdktn-flavour.mjs";
import { compiledModules } from "./build/compiled-modules.mjs";
import { deferExports } from "./build/deferred-exports.mjs";
import { inlineLibraries, publishedFacades } from "./build/inline-libraries.mjs";
import { isRelease } from "./build/release.mjs";
import { writeKitModules } from "./build/kit-modules.mjs";
import { writeKitPackage } from "./build/kit-package.mjs";
import { writeOwnNotices } from "./build/notices.mjs";
import { writeOwnCompiled, writeOwnPackage } from "./build/own-package.mjs";
import { writeProjectVersions } from "./build/project-versions.mjs";
import { writeVerifyLibrary } from "./build/verify-library.mjs";
import { libraryEntries, publishedModules, writeUnpublished } from "./build/unpublished.mjs";
import { providers, root } from "./providers.mjs";

const { values: options } = parseArgs({
  options: {
    release: { type: "boolean", default: isRelease(process.env) },
    providers: { type: "boolean", default: false },
    compile: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(`Usage: npm run build -- [--release] [--providers] [--compile] [--quiet]

Compiles the library into dist/src, with its copy for cdktn, packages the providers into
dist/providers, and writes the npm package of the provider kit to dist/packages/provider-kit.

  --release    give the providers the version of package.json (also TRIVET_RELEASE=1,
               and in \`npm pack\`); by default, a development version that is
               derived from their content
  --providers  package the providers only, without the type check
  --compile    package the providers as one executable that needs no Node.js,
               for this machine; npm downloads its runtime once
  --quiet      print nothing unless something fails`);
  process.exit(0);
}

/** The modules of pages, which run in browsers. They are compiled, and served as they are. */
const pages = ["service", "signing", "workspace"].map((each) => `src/local/${each}/page/browser`);
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
if (options.providers) await packageProviders();
else {
  await compile();
  const facades = await inlineLibraries(root);
  const modules = await writeKitModules(root);
  const verifier = await writeVerifyLibrary(root);
  await deferExports(root, await compiledModules(root, libraryEntries()));
  await deriveCdktnFlavour(root, libraryEntries());
  const published = await publishedModules(root);
  await writeUnpublished(
    root,
    published,
    pages.map((page) => relative("src", page)),
  );
  await writeProjectVersions(root);
  await writeKitPackage(root, { manifest, modules, facades });
  await writeOwnNotices(
    root,
    [...publishedFacades(facades, published), verifier, ...(await packageProviders())],
    manifest,
  );
}

async function compile() {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  const projects = ["bindings", "src", ...pages, "stacks"];
  try {
    execFileSync(process.execPath, [tsc, "-b", ...projects], { cwd: root, stdio: "inherit" });
  } catch {
    console.error("The type check failed: see above. Nothing was packaged.");
    process.exit(1);
  }
  for (const page of pages) {
    for (const file of await readdir(join(root, page))) {
      if (!/\.(?:html|css)$/.test(file)) continue;
      await copyFile(join(root, page, file), join(root, "dist", page, file));
    }
  }
  for (const name of ["main", "provider-main"]) {
    const command = join(root, "dist", "src", "cli", `${name}.js`);
    if (existsSync(command)) await chmod(command, 0o755);
  }
}

/** Returns what has to be passed on with the providers. */
async function packageProviders() {
  const made = await written();
  /** @type {Record<string, string>} */
  const versions = {};
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const { name, version, hash, files, changed } of made) {
    versions[name] = version;
    hashes[name] = hash;
    const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0);
    const size = `${Math.round(bytes / 1024)} kB in ${files.size} files`;
    if (!options.quiet) console.log(`${name} ${version}: ${size}${changed ? "" : ", unchanged"}`);
  }
  await mkdir(join(root, "dist", "providers"), { recursive: true });
  await writeJson("versions.json", versions);
  // What `trivet install` compares the packages with. A development build has nothing to be compared with.
  const release = join(root, "dist", "providers", "release.json");
  if (options.release) {
    await writeJson("release.json", { version: manifest.version, providers: hashes });
  } else await rm(release, { force: true });
  return made.map(({ notices }) => notices);
}

async function written() {
  const folder = join(root, "dist", "providers");
  const version = options.release ? manifest.version : undefined;
  if (options.compile) return await writeOwnCompiled(folder, version);
  const packages = [];
  for (const { name } of providers) {
    packages.push(await writeOwnPackage(join(folder, name), { name, version }));
  }
  return packages;
}

/**
 * @param {string} name
 * @param {object} value
 */
async function writeJson(name, value) {
  await writeFile(join(root, "dist", "providers", name), `${JSON.stringify(value, null, 2)}\n`);
}
