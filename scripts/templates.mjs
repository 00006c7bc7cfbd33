// Previews each template of a folder, without a network, and prints a table: what the form has, and what is told beside it.
//
//   node scripts/templates.mjs <folder of templates> [--product coder]
//   node scripts/templates.mjs <folder of templates> --convert
//
// With --convert, each becomes a project with constructs, which must mean the same. Exits with 1 if a template shows nothing,
// or is not converted wholly. Needs a build (npm run build), and Terraform.

import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { conversions } from "./templates/conversions.mjs";

const root = join(import.meta.dirname, "..");
const [folder, ...options] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Write: node scripts/templates.mjs <folder of templates>");
  process.exit(2);
}

const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory());
if (options.includes("--convert")) {
  const { rows, wholly } = await conversions(resolve(folder), names);
  print(rows);
  console.log(`${wholly} of ${names.length} become constructs wholly.`);
  process.exit(wholly === names.length ? 0 : 1);
}

const rows = [
  ["Template", "Fields", "Presets", "Missing modules", "Warnings", "Errors", "Seconds"],
];
let shown = 0;
for (const name of names) {
  const before = Date.now();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, "dist/src/cli/main.js"),
      ...["local", "workspace", "preview", join(folder, name), "--json", ...options],
    ],
    { encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  const seconds = ((Date.now() - before) / 1000).toFixed(1);
  if (stdout === "") {
    rows.push([name, "none", "", "", "", stderr.trim().split("\n")[0] ?? "", seconds]);
    continue;
  }
  shown += 1;
  /** @type {{ parameters: unknown[], presets: unknown[], diagnostics: { severity: string, summary: string, place?: { file: string, line?: number } }[] }} */
  const { parameters, presets, diagnostics } = JSON.parse(stdout);
  const missing = diagnostics.filter(({ summary }) => summary.startsWith("Module not loaded"));
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const errors = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ summary, place }) =>
      place === undefined ? summary : `${summary} (${place.file}:${place.line})`,
    );
  rows.push([
    name,
    ...[parameters, presets, missing].map(({ length }) => String(length)),
    String(warnings.length - missing.length),
    errors.join("; "),
    seconds,
  ]);
}

print(rows);
console.log(`${shown} of ${names.length} show a form.`);
process.exitCode = shown === names.length ? 0 : 1;

/** @param {readonly string[][]} table */
function print(table) {
  for (const row of table) {
    const cells = row.map((cell, column) =>
      cell.padEnd(Math.max(...table.map((each) => each[column]?.length ?? 0))),
    );
    console.log(cells.join("  ").trimEnd());
  }
}
