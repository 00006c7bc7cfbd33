// @ts-check
import { chmod, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compiledModules } from "./compiled-modules.mjs";
import { facadesAmong } from "./inline-libraries.mjs";
import { kitEntries } from "./kit-modules.mjs";
import { installedNotices, pack } from "./notices.mjs";

/** @typedef {import("../../src/cli/provider-package/index.js").Notices} Notices */

/** The folder of the provider kit's npm package, from the checkout. */
export const kitPackage = join("dist", "packages", "provider-kit");

const command = "cli/provider-main";

/** Copied as they are. */
const others = [
  "dist/module",
  "dist/src/cli/init/versions.json",
  "templates/provider",
  "docs/guide/writing-a-provider.md",
  "docs/guide/planning-in-a-provider.md",
  "docs/guide/publishing-a-provider.md",
  "CHANGELOG.md",
  "LICENSE",
];

/**
 * Writes the npm package of the provider kit from what is compiled: the kit, its command, and everything that these
 * import. Users of the kit install neither our providers nor constructs.
 *
 * @param {string} root
 * @param {{ manifest: Record<string, any>, modules: Notices, facades: ReadonlyMap<string, Notices> }} built the package.json
 *   of the checkout, what is in `dist/module`, and what is in the compiled facades of libraries
 * @returns what is passed on with it
 */
export async function writeKitPackage(root, { manifest, modules, facades }) {
  const out = join(root, kitPackage);
  await rm(out, { recursive: true, force: true });
  const entries = [...kitEntries.map(({ module }) => module), command];
  const compiled = await compiledModules(
    root,
    entries.map((each) => join("dist", "src", each)),
  );
  for (const [name, { files }] of compiled) {
    for (const [extension, text] of files) {
      await mkdir(dirname(join(out, name)), { recursive: true });
      await writeFile(join(out, name + extension), text);
    }
  }
  await chmod(join(out, "dist", "src", `${command}.js`), 0o755);
  for (const path of others) await cp(join(root, path), join(out, path), { recursive: true });
  await cp(join(root, "src", "core", "provider-kit", "README.md"), join(out, "README.md"));
  const written = kitManifest(manifest);
  await writeFile(join(out, "package.json"), `${JSON.stringify(written, null, 2)}\n`);
  const notices = pack.uniteNotices([
    modules,
    ...facadesAmong(facades, compiled),
    await installedNotices(root, written.dependencies),
  ]);
  await writeFile(join(out, pack.noticesFile), pack.licenceNotices(notices));
  return { manifest: written, notices };
}

/** @param {Record<string, any>} manifest of the checkout, which has the same version and publisher */
function kitManifest({ version, license, homepage, repository, bugs, engines, ...manifest }) {
  const { commander, zod } = manifest["dependencies"];
  const exported = kitEntries.map(({ path, module, bundle }) => [
    path,
    {
      types: `./dist/src/${module}.d.ts`,
      module: bundle === undefined ? undefined : `./dist/module/${bundle}.mjs`,
      default: `./dist/src/${module}.js`,
    },
  ]);
  return {
    name: "@trivet/provider-kit",
    version,
    description: "Terraform and OpenTofu providers in TypeScript: from a declaration to a release.",
    license,
    keywords: ["terraform", "opentofu", "terraform-provider"],
    homepage,
    repository,
    bugs,
    engines,
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    // Compilers with the setting `moduleResolution: node10` do not read `exports`.
    main: "./dist/src/core/provider-kit/index.js",
    types: "./dist/src/core/provider-kit/index.d.ts",
    typesVersions: { "*": { "*": ["./dist/src/core/provider-kit/*/index.d.ts", "./*"] } },
    bin: { "trivet-provider": `dist/src/${command}.js` },
    peerDependencies: { esbuild: manifest["peerDependencies"].esbuild },
    peerDependenciesMeta: { esbuild: { optional: true } },
    dependencies: { commander, zod },
  };
}
