import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { referencePages } from "trivet/provider-kit";
import { note, settings } from "../src/declaration";

// Writes the reference of the provider to docs/, in the layout that registries expect.
const hcl = readFileSync("examples/main.tf", "utf8");
const examples = new Map([
  ["index", { hcl }],
  ["resources/note", { hcl }],
]);
for (const [path, text] of referencePages({ provider: settings, resources: [note], examples })) {
  const file = join("docs", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
