// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The packages of others that are in a release, or that npm installs with it, as a document of CycloneDX: those whose
 * licences the release contains. It contains neither times nor random numbers.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 * @typedef {{ name: string, version: string, license: string | undefined, publisher?: string }} Manifest
 *   only that of an extension for VS Code has a publisher
 *
 * @param {{ root: string, packages: import("../../src/cli/provider-package/index.js").Notices["packages"], manifest: Manifest,
 *   parts: readonly Manifest[] }} release its parts are our own packages
 */
export async function billOfMaterials({ root, manifest, parts, packages }) {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const components = packages.map((each) =>
    component({ ...each, license: each.licence }, lock.packages[each.folder]?.integrity),
  );
  const own = component(manifest, undefined);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { ...own, components: parts.map((each) => component(each, undefined)) },
    },
    components,
    dependencies: [{ ref: own["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) }],
  };
}

/**
 * @param {Manifest} manifest
 * @param {string | undefined} integrity as in the lock file
 */
function component({ name, version, license, publisher }, integrity) {
  const where =
    publisher === undefined
      ? `npm/${name.replace(/^@/, "%40")}`
      : `vscode-extension/${publisher}/${name}`;
  const purl = `pkg:${where}@${version}`;
  const [, sha512] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }] }),
    ...(license !== undefined ? { licenses: [{ expression: license }] } : {}),
    purl,
  };
}
