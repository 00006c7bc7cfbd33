// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The path of a package's folder, up to the last `node_modules` in the path of a module. */
const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * The packages of others that are in a release, or that npm installs with it, as a document of CycloneDX. It
 * contains neither times nor random numbers.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 * @param {{ root: string, modules: Iterable<string>,
 *   manifest: { name: string, version: string, license: string, dependencies: Record<string, string> } }} release
 *   `modules` are the paths of all modules in the bundles
 */
export async function billOfMaterials({ root, manifest, modules }) {
  const installed = Object.keys(manifest.dependencies).map((name) => `node_modules/${name}`);
  const folders = new Set(installed);
  for (const module of modules) {
    const [folder] = packageFolder.exec(module) ?? [];
    if (folder !== undefined) folders.add(folder.slice(folder.indexOf("node_modules/")));
  }
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const components = await Promise.all(
    [...folders].sort().map(async (folder) => {
      const found = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
      return component(found, lock.packages[folder]?.integrity);
    }),
  );
  const own = component(manifest, undefined);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) }],
  };
}

/**
 * @param {{ name: string, version: string, license?: unknown }} manifest
 * @param {string | undefined} integrity as in the lock file
 */
function component({ name, version, license }, integrity) {
  const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
  const [, sha512] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }] }),
    ...(typeof license === "string" ? { licenses: [{ expression: license }] } : {}),
    purl,
  };
}
