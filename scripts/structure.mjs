// @ts-check
// npm run structure [-- --list]: the shape of src in numbers: files, sizes, who imports whom, circles.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { root } from "./providers.mjs";

/** @type {typeof import("typescript")} */
const ts = createRequire(import.meta.url)("typescript");
const list = process.argv.includes("--list");
const files = execFileSync("git", ["ls-files", "src/**/*.ts", "src/*.ts"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** @type {Map<string, Set<string>>} */
const imports = new Map();
for (const [file, text] of texts) {
  const targets = new Set();
  for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
    if (!fileName.startsWith(".")) continue;
    const target = relative(root, resolve(root, dirname(file), fileName)).replace(/\.js$/, "");
    const found = [`${target}.ts`, `${target}/index.ts`, `${target}.d.ts`].find((name) => texts.has(name));
    if (found !== undefined) targets.add(found);
  }
  imports.set(file, targets);
}

const lines = files.map((file) => (texts.get(file) ?? "").split("\n").length - 1).sort((a, b) => a - b);
const folders = new Set(files.map((file) => dirname(file)));
const importers = new Map(files.map((file) => [file, [...imports].filter(([, to]) => to.has(file)).map(([from]) => from)]));
const single = files.filter((file) => {
  const by = importers.get(file) ?? [];
  return by.length === 1 && dirname(by[0] ?? "") === dirname(file) && (texts.get(file) ?? "").split("\n").length <= 61;
});

const fileCircles = circles(imports);
/** @type {Map<string, Set<string>>} */
const folderImports = new Map([...folders].map((folder) => [folder, new Set()]));
for (const [from, targets] of imports) {
  for (const to of targets) if (dirname(to) !== dirname(from)) folderImports.get(dirname(from))?.add(dirname(to));
}
const folderCircles = circles(folderImports);

const perFolder = Map.groupBy ? undefined : undefined;
const crowded = [...folders].map((f) => [f, files.filter((file) => dirname(file) === f).length]).filter(([, n]) => Number(n) > 12);
console.log(`files ${files.length}, median lines ${lines[lines.length >> 1]}, of 30 lines or fewer ${lines.filter((n) => n <= 30).length}, over 250: ${lines.filter((n) => n > 250).length}`);
console.log(`folders ${folders.size}; of more than 12 files: ${crowded.length} (${crowded.map(([f, n]) => `${f} ${n}`).join(", ")})`);
console.log(`files of at most 60 lines whose one importer is in their own folder: ${single.length}`);
console.log(`circles between files: ${fileCircles.length}; between folders: ${folderCircles.length}`);
for (const c of fileCircles) console.log("  files  ", c.join(" "));
for (const c of folderCircles) console.log("  folders", c.join(" "));
if (list) for (const s of single) console.log("single", s, (texts.get(s) ?? "").split("\n").length - 1, "<-", importers.get(s)?.[0]);
if (process.argv.includes("--graph")) for (const [f, t] of imports) for (const x of t) console.log("E", f, x);

/**
 * The groups of nodes that reach each other (Tarjan).
 * @param {Map<string, Set<string>>} graph
 */
function circles(graph) {
  let counter = 0;
  const index = new Map(), low = new Map(), stack = /** @type {string[]} */ ([]), on = new Set();
  const found = /** @type {string[][]} */ ([]);
  const visit = (/** @type {string} */ v) => {
    index.set(v, counter); low.set(v, counter++); stack.push(v); on.add(v);
    for (const w of graph.get(v) ?? []) {
      if (!index.has(w)) { visit(w); low.set(v, Math.min(low.get(v), low.get(w))); }
      else if (on.has(w)) low.set(v, Math.min(low.get(v), index.get(w)));
    }
    if (low.get(v) === index.get(v)) {
      const group = [];
      for (;;) { const w = /** @type {string} */ (stack.pop()); on.delete(w); group.push(w); if (w === v) break; }
      if (group.length > 1) found.push(group.sort());
    }
  };
  for (const v of graph.keys()) if (!index.has(v)) visit(v);
  return found;
}
