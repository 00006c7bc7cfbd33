import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { referencePages } from "@trivet/provider-kit";
import { note, notes, settings } from "../src/declaration";

// Writes the reference of the provider to docs/, in the layout that registries expect.
const hcl = readFileSync("examples/main.tf", "utf8");
const examples = new Map([
  ["index", { hcl }],
  ["resources/note", { hcl }],
  ["data-sources/notes", { hcl }],
]);
const command = "npm run gen";
const pages = referencePages({
  provider: settings,
  resources: [note],
  dataSources: [notes],
  examples,
  command,
});
for (const [path, text] of pages) {
  const file = join("docs", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
