// @ts-check
// npm run structure [-- --list | --trips | --check | --lower]: prints the structure of src in numbers, without what
// `npm run gen` writes. --list also lists the small files with a single importer in the same folder. --trips runs a few
// steps of users after a build, and counts the files of src that each runs through. --check fails if a room has more
// lines than structure/ceilings.json allows. --lower lowers the ceilings to what the rooms have now.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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

const ceilingsFile = join(root, "scripts/structure/ceilings.json");

if (process.argv.includes("--check")) {
  checkCeilings();
} else if (process.argv.includes("--lower")) {
  lowerCeilings();
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
    ...[...linesOf(floorOf)].map(([floor, lines]) => [`  ${floor}`, lines]),
    ...[...linesOf(roomOf)].map(([room, lines]) => [`    ${room}`, lines]),
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
    ["tests", tests.length],
    ["tests that mirror their file", mirrored.length],
    ["tests that mirror the folder of their file", inRoom.length],
    ["files that name one attribute of ids.Endpoint", list(named)],
  ];
  for (const [what, value] of rows) console.log(`${what}: ${value}`);
  if (process.argv.includes("--list")) for (const line of small) console.log(line);
}

function checkCeilings() {
  const ceilings = readCeilings();
  for (const [room, lines] of linesOf(roomOf)) {
    const ceiling = ceilings[room] ?? 0;
    if (lines <= ceiling) continue;
    console.log(
      `src/${room} has ${lines} lines, at most ${ceiling} are allowed. Make it smaller. If it must grow, ` +
        "raise its ceiling in scripts/structure/ceilings.json, and give the reason in the commit message.",
    );
    process.exitCode = 1;
  }
}

function lowerCeilings() {
  const ceilings = readCeilings();
  const lowered = [...linesOf(roomOf)].map(([room, lines]) => [
    room,
    Math.min(lines, ceilings[room] ?? lines),
  ]);
  writeFileSync(ceilingsFile, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}

/** @returns {Record<string, number>} */
function readCeilings() {
  return JSON.parse(readFileSync(ceilingsFile, "utf8"));
}

/**
 * @param {(file: string) => string} placeOf
 * @returns {Map<string, number>} the lines in each place, sorted by name
 */
function linesOf(placeOf) {
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const [file, text] of [...written].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const place = placeOf(file);
    places.set(place, (places.get(place) ?? 0) + lineCount(text));
  }
  return places;
}

/** @param {string} file such as `src/core/ids/index.ts` */
function floorOf(file) {
  return file.split("/").at(1) ?? "";
}

/**
 * @param {string} file
 * @returns {string} such as `core/ids`; the commands are one room
 */
function roomOf(file) {
  const floor = floorOf(file);
  return floor === "cli" ? floor : file.split("/").slice(1, 3).join("/");
}

/**
 * @param {string} title
 * @param {readonly string[]} files
 */
function reportTrip(title, files) {
  const inFolders = new Set(files.map((file) => dirname(file)));
  console.log(`${title}: ${files.length} files in ${inFolders.size} folders`);
  const rooms = new Map();
  for (const file of files) {
    const room = roomOf(`src/${file}`);
    const { count, folders } = rooms.get(room) ?? { count: 0, folders: new Set() };
    rooms.set(room, { count: count + 1, folders: folders.add(dirname(file)) });
  }
  for (const [room, { count, folders }] of rooms) {
    console.log(`  ${room}: ${count} in ${folders.size}`);
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
