// @ts-check
// npm run structure [-- --list | --trips | --check]: prints the structure of src in numbers, without what
// `npm run gen` writes. --list names
// the small files whose only importer is in the same folder. --trips runs a few steps of users after a build,
// and counts the files of src that each runs through. --check fails if files or folders import each other in a circle.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";
import { root } from "./providers.mjs";

/** @type {typeof import("typescript")} */
const ts = createRequire(import.meta.url)("typescript");

const shortLines = 30;
const smallLines = 60;
const longLines = 250;
const crowdedFiles = 12;
/** Written by `npm run gen`: part of the graph of imports, but of no figure. */
const generatedFile = "/generated.ts";
/** Adding an attribute to an endpoint touches the same files as this attribute. */
const sampleAttribute = /\b(?:threatExceptions|threat_exceptions)\b/;

const sources = new Map(
  tracked("src").map((file) => [file, readFileSync(join(root, file), "utf8")]),
);
const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
const written = new Map([...sources].filter(([file]) => !file.endsWith(generatedFile)));
const folders = groupByFolder();

const fileCircles = circles(imports);
const folderCircles = circles(folderImports());

if (process.argv.includes("--check")) {
  for (const [kind, found] of Object.entries({ files: fileCircles, folders: folderCircles })) {
    for (const circle of found) {
      console.log(`These ${kind} import each other: ${circle.join(", ")}`);
      process.exitCode = 1;
    }
  }
} else if (process.argv.includes("--trips")) {
  const { measureTrips } = await import("./structure/trips.mjs");
  for (const { title, files } of await measureTrips()) reportTrip(title, files);
} else {
  report();
}

function report() {
  const lengths = [...written.values()].map(lineCount).sort((a, b) => a - b);
  const small = singleImporterFiles();
  const crowded = [...folders].filter(([, files]) => files.length > crowdedFiles);
  const tests = tracked("test").filter((file) => file.endsWith(".test.ts"));
  const mirrored = tests.filter((file) => sources.has(sourceOf(file)));
  const inRoom = tests.filter((file) => folders.has(dirname(sourceOf(file))));
  const named = [...written].filter(([, text]) => sampleAttribute.test(text)).map(([file]) => file);
  const rows = [
    ["files", written.size],
    ["lines", lengths.reduce((sum, lines) => sum + lines, 0)],
    ["lines of a file, median", lengths[lengths.length >> 1] ?? 0],
    [
      `files of ${shortLines} lines or fewer`,
      lengths.filter((lines) => lines <= shortLines).length,
    ],
    [`files of more than ${longLines} lines`, lengths.filter((lines) => lines > longLines).length],
    [`files of ${smallLines} lines or fewer whose only importer is in their folder`, small.length],
    ["folders", folders.size],
    [
      `folders of more than ${crowdedFiles} files`,
      list(crowded.map(([folder, files]) => `${folder} ${files.length}`)),
    ],
    ["circles between files", list(fileCircles.map((circle) => circle.join(" ")))],
    ["circles between folders", list(folderCircles.map((circle) => circle.join(" ")))],
    ["tests", tests.length],
    ["tests that mirror their file", mirrored.length],
    ["tests that mirror the folder of their file", inRoom.length],
    ["files that name one attribute of ids.Endpoint", list(named)],
  ];
  for (const [what, value] of rows) console.log(`${what}: ${value}`);
  if (process.argv.includes("--list")) for (const line of small) console.log(line);
}

/**
 * @param {string} title
 * @param {readonly string[]} files
 */
function reportTrip(title, files) {
  const inFolders = new Set(files.map((file) => dirname(file)));
  console.log(`${title}: ${files.length} files in ${inFolders.size} folders`);
  const floors = new Map();
  for (const file of files) {
    const floor = file.split("/", 1)[0];
    const { count, folders } = floors.get(floor) ?? { count: 0, folders: new Set() };
    floors.set(floor, { count: count + 1, folders: folders.add(dirname(file)) });
  }
  for (const [floor, { count, folders }] of floors) {
    console.log(`  ${floor}: ${count} in ${folders.size}`);
  }
  if (process.argv.includes("--list")) for (const file of files) console.log(`    ${file}`);
}

/** @param {string} folder */
function tracked(folder) {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", `${folder}/**.ts`];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const deleted = execFileSync("git", ["ls-files", "--deleted"], {
    cwd: root,
    encoding: "utf8",
  }).split("\n");
  return listed.filter((file) => file !== "" && !deleted.includes(file));
}

/**
 * @param {string} file
 * @param {string} text
 */
function importsOf(file, text) {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return new Set(
    importedFiles.flatMap(({ fileName }) => {
      if (!fileName.startsWith(".")) return [];
      const target = normalize(join(dirname(file), fileName)).replace(/\.js$/, "");
      return (
        [`${target}.ts`, `${target}/index.ts`, `${target}.d.ts`].find((name) =>
          sources.has(name),
        ) ?? []
      );
    }),
  );
}

function groupByFolder() {
  /** @type {Map<string, string[]>} */
  const grouped = new Map();
  for (const file of written.keys()) {
    grouped.set(dirname(file), [...(grouped.get(dirname(file)) ?? []), file]);
  }
  return grouped;
}

function folderImports() {
  /** @type {Map<string, Set<string>>} */
  const between = new Map([...folders.keys()].map((folder) => [folder, new Set()]));
  for (const [file, targets] of imports) {
    for (const target of targets) {
      if (dirname(target) !== dirname(file)) between.get(dirname(file))?.add(dirname(target));
    }
  }
  return between;
}

function singleImporterFiles() {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const [file, targets] of imports) {
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file]);
  }
  return [...written].flatMap(([file, text]) => {
    const [importer, other] = importers.get(file) ?? [];
    const isSmall = lineCount(text) <= smallLines;
    if (!isSmall || importer === undefined || other !== undefined) return [];
    return dirname(importer) === dirname(file)
      ? [`${file} (${lineCount(text)}) ← ${importer}`]
      : [];
  });
}

/** @param {string} test */
function sourceOf(test) {
  return test.replace(/^test\//, "src/").replace(/\.test\.ts$/, ".ts");
}

/** @param {string} text */
function lineCount(text) {
  return text.split("\n").length - 1;
}

/** @param {readonly string[]} items */
function list(items) {
  return items.length === 0 ? "0" : `${items.length}\n  ${items.join("\n  ")}`;
}

/**
 * The groups of nodes that reach each other (Tarjan's algorithm).
 *
 * @param {ReadonlyMap<string, ReadonlySet<string>>} graph
 */
function circles(graph) {
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /** @param {string} node */
  const visit = (node) => {
    numbers.set(node, numbers.size);
    let low = numbers.size - 1;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, numbers.get(next) ?? low);
    }
    if (low === numbers.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1) found.push(group.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return found;
}
