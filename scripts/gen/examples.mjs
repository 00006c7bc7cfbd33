// @ts-check
import { readFile, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { root } from "../providers.mjs";

/**
 * The examples of one provider: `examples/NAME/PAGE/main.tf` and `main.ts`.
 *
 * @param {string} name
 * @returns {Promise<Map<string, { hcl: string, typescript: string }>>} by their page
 */
export async function examples(name) {
  const folder = join(root, "examples", name);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.name === "main.tf");
  return new Map(
    await Promise.all(
      found.map(async ({ parentPath }) => {
        const page = relative(folder, parentPath).split(sep).join("/");
        return /** @type {const} */ ([
          page,
          {
            hcl: shown(await readFile(join(parentPath, "main.tf"), "utf8")),
            typescript: shown(await readFile(join(parentPath, "main.ts"), "utf8")),
          },
        ]);
      }),
    ),
  );
}

/**
 * What a page shows of a file: the lines between `#region` and `#endregion`, or all of it without these.
 *
 * @param {string} text
 */
function shown(text) {
  const [, region = text] = /^.*#region\n([^]*?)^.*#endregion$/m.exec(text) ?? [];
  const lines = region.split("\n");
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const depth = Math.min(...depths);
  return lines
    .map((line) => line.slice(depth))
    .join("\n")
    .trim();
}
