// @ts-check
// Makes a release in a folder that is built, and from which nothing else will be built: see ../release.mjs
import { execFileSync } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { inlineLibraries, publishedFacades } from "../build/inline-libraries.mjs";
import { writeEditorExtension } from "../build/editor-extension.mjs";
import { writeKitModules } from "../build/kit-modules.mjs";
import { kitPackage, writeKitPackage } from "../build/kit-package.mjs";
import { pack, writeOwnNotices } from "../build/notices.mjs";
import { ownCompiled, writeOwnPackage } from "../build/own-package.mjs";
import { publishedModules } from "../build/unpublished.mjs";
import { providers, root } from "../providers.mjs";
import { loadSource } from "../source.mjs";
import { billOfMaterials } from "./bill-of-materials.mjs";
import { packExtension } from "./pack-extension.mjs";
import { provenance } from "./provenance.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: "" },
    commit: { type: "string" },
    key: { type: "string" },
    "gpg-key": { type: "string" },
    compile: { type: "string", multiple: true, default: [] },
    "without-extension": { type: "boolean", default: false },
  },
});
/** The platforms of the zip files: those for which both Terraform and Node.js are commonly used. */
const platforms = ["darwin_amd64", "darwin_arm64", "freebsd_amd64", "linux_amd64", "linux_arm64"];

/** @type {typeof import("../../src/core/signing/file-attestation/attest-files.js")} */
const { openFileAttester } = await loadSource("src/core/signing/file-attestation/attest-files.ts");
/** @type {typeof import("../../src/cli/pack/pack-provider.js")} */
const { signChecksums } = await loadSource("src/cli/pack/pack-provider.ts");

const { out } = options;
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const { version } = manifest;
/** The files that are about the whole release begin with it. */
const name = "trivet";
const attester =
  options.key === undefined ? undefined : await openFileAttester(options.key, process.env);

const facades = await inlineLibraries(root);
const kit = await writeKitPackage(root, {
  manifest,
  modules: await writeKitModules(root),
  facades,
});
/** @type {{ made: import("../../src/cli/provider-package/index.js").ProviderPackage, source: string }[]} */
const bundled = [];
for (const { name: provider, source } of providers) {
  const folder = join(root, "dist", "providers", provider);
  const made = await writeOwnPackage(folder, { name: provider, version });
  bundled.push({ made, source });
}
const bundles = bundled.map(({ made }) => made.notices);
const notices = await writeOwnNotices(
  root,
  [...publishedFacades(facades, await publishedModules(root)), ...bundles],
  manifest,
);
// What npm runs after an installation, and what only this checkout needs, is not part of the package.
const published = { ...manifest };
delete published.scripts;
delete published.devDependencies;
await writeFile(join(root, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
const npmPackages = [".", kitPackage].map((folder) => {
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", out, `./${folder}`];
  return join(out, execFileSync("npm", args, { cwd: root, encoding: "utf8" }).trim());
});

const extensions = options["without-extension"] ? [] : [await editorExtension()];
const compiled = await compiledPackages();
const { packages } = pack.uniteNotices([
  notices,
  kit.notices,
  ...extensions.map((each) => each.notices),
  ...compiled.map(({ made }) => made.notices),
]);
const materials = join(out, `${name}-${version}.cdx.json`);
const components = await billOfMaterials({
  root,
  manifest: { ...published, name },
  parts: [published, kit.manifest, ...extensions.map((each) => each.manifest)],
  packages,
});
await writeFile(materials, `${JSON.stringify(components, null, 2)}\n`);

const registries = join(out, "registry");
for (const { made, source } of bundled) {
  const archive = pack.providerArchive(made);
  const archives = new Map(platforms.map((each) => [each, archive]));
  for (const { platform, made: each } of compiled) {
    if (each.name === made.name) archives.set(platform, pack.providerArchive(each));
  }
  const release = pack.registryRelease(made, archives);
  const registry = join(registries, made.name);
  await mkdir(registry, { recursive: true });
  for (const [file, content] of release.files) await writeFile(join(registry, file), content);
  await pack.addToMirror(join(out, "mirror"), source, release);
  await signWithGnuPg(join(registry, release.checksums));
}

// What `trivet install` compares the providers with. It is in the npm package.
const hashes = join(root, "dist", "providers", "release.json");
const artifacts = [
  ...npmPackages,
  ...extensions.map(({ file }) => file),
  materials,
  ...(await zipFiles()),
];
const lines = await Promise.all(
  artifacts.map(async (file) => `${pack.sha256(await readFile(file))}  ${relative(out, file)}\n`),
);
const checksums = join(out, "SHA256SUMS");
await writeFile(checksums, lines.join(""));
await signWithGnuPg(checksums);

if (attester !== undefined) {
  const files = await Promise.all(artifacts.map(subject));
  const prefix = join(out, `${name}-${version}`);
  const made = await provenance({ version, commit: options.commit, root });
  const ofProvenance = await attester.attest([...files, await subject(hashes)], made);
  await writeFile(`${prefix}.provenance.sigstore.json`, ofProvenance);
  const contents = { predicateType: "https://cyclonedx.org/bom", predicate: components };
  await writeFile(`${prefix}.sbom.sigstore.json`, await attester.attest(files, contents));
  await writeFile(join(out, "release.pub"), attester.publicKeyPem);
}
console.log(`${name} ${version} is in ${out}`);
if (attester === undefined) console.log("It is not attested: see --key.");
if (options["gpg-key"] === undefined) console.log("Its checksums are not signed: see --gpg-key.");

/** The extension for VS Code. */
async function editorExtension() {
  const folder = join(root, "dist", "packages", "vscode");
  const { manifest, notices } = await writeEditorExtension(root, folder);
  const file = join(out, `${manifest.name}-${version}.vsix`);
  await packExtension(folder, file);
  return { manifest, notices, file };
}

/** The packages that need no Node.js. */
async function compiledPackages() {
  if (options.compile.length === 0) return [];
  const { packagesFor } = await ownCompiled(version);
  const packages = [];
  for (const platform of options.compile) {
    for (const made of await packagesFor(platform)) packages.push({ platform, made });
  }
  return packages;
}

async function zipFiles() {
  const all = await readdir(registries, { recursive: true });
  return all
    .filter((file) => file.endsWith(".zip"))
    .sort()
    .map((file) => join(registries, file));
}

/**
 * @param {string} file
 * @returns {Promise<{ name: string, digest: `sha256:${string}` }>}
 */
async function subject(file) {
  return { name: basename(file), digest: `sha256:${pack.sha256(await readFile(file))}` };
}

/** @param {string} file */
async function signWithGnuPg(file) {
  if (options["gpg-key"] !== undefined) await signChecksums(file, options["gpg-key"]);
}
