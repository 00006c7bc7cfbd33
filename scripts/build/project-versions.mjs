// @ts-check
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes the exact version of each package that a new project can depend on. The package.json of a release no
 * longer has them: it lists only what users install.
 *
 * @param {string} root
 */
export async function writeProjectVersions(root) {
  const versions = JSON.parse(await readFile(join(root, "package.json"), "utf8")).devDependencies;
  const templates = join(root, "templates");
  const paths = await readdir(templates, { recursive: true });
  const manifests = paths.filter((path) => /(^|[\\/])package\.json$/.test(path));
  const names = new Set(["cdktn"]);
  for (const path of manifests) {
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(join(templates, path), "utf8"),
    );
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) names.add(name);
  }
  const known = Object.entries(versions).filter(([name]) => names.has(name));
  const text = `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`;
  await writeFile(join(root, "dist", "src", "cli", "init", "versions.json"), text);
}
