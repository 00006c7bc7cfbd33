// Converts each template of a folder with `trivet convert`, compiles and runs the projects, and compares what they synthesize
// with the templates: the addresses of all blocks, and the form that users get, with everything that is told beside it. If
// preview-judge is on PATH, coder's own library shows both forms, too.

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const main = join(root, "dist/src/cli/main.js");
const { readStackContent } = createRequire(import.meta.url)(
  join(root, "dist/src/cli/synthesis/stack-content.js"),
);

/** @typedef {{ place: string, address: string, reason?: string }} Kept */

/**
 * Returns a table: what stays in HCL of each template, and whether its project means the same.
 *
 * @param {string} folder
 * @param {readonly string[]} names
 * @returns {Promise<{ rows: string[][], wholly: number }>}
 */
export async function conversions(folder, names) {
  const base = mkdtempSync(join(tmpdir(), "trivet-conversions-"));
  try {
    linkModules(base);
    const reports = new Map(
      names.map((name) => [name, convert(join(folder, name), join(base, name))]),
    );
    compile(base);
    const synthesized = names.filter((name) => typeof reports.get(name) !== "string");
    const failures = new Map(synthesized.map((name) => [name, synthesize(join(base, name))]));
    const otherForms = formsByCoder(synthesized, folder, base);
    const rows = [["Template", "Constructs", "In HCL", "Result"]];
    let wholly = 0;
    for (const [name, report] of reports) {
      if (typeof report === "string") {
        rows.push([name, "", "", report]);
        continue;
      }
      const refused = report.kept.filter(({ reason }) => reason !== undefined);
      const difference =
        failures.get(name) ?? (await differenceOf(join(folder, name), stackOf(join(base, name))));
      const problems = [
        ...(difference === undefined ? [] : [difference]),
        ...(otherForms?.get(name) ?? []),
        ...refused.map(({ place, address, reason }) => `${place} ${address}: ${reason}`),
      ];
      if (problems.length === 0) wholly += 1;
      const counts = [report.converted, report.kept].map(({ length }) => String(length));
      rows.push([name, ...counts, problems.join("; ") || "same"]);
    }
    if (otherForms === undefined)
      console.log("preview-judge is not on PATH: only Trivet shows the forms.");
    return { rows, wholly };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** @param {string} base */
function linkModules(base) {
  const modules = join(base, "node_modules");
  mkdirSync(join(modules, "@trivet"), { recursive: true });
  symlinkSync(root, join(modules, "@trivet/constructs"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    const target = join(modules, name);
    if (!existsSync(target)) symlinkSync(join(root, "node_modules", name), target);
  }
}

/**
 * @param {string} template
 * @param {string} project
 * @returns {string | { converted: readonly string[], kept: readonly Kept[] }}
 */
function convert(template, project) {
  const args = [main, "convert", template, project, "--package", "0.1.0", "--json"];
  const { status, stdout, stderr } = run(args, root);
  return status === 0 ? JSON.parse(stdout) : firstLine(stderr);
}

/** @param {string} base */
function compile(base) {
  const compilerOptions = {
    ...{ target: "ES2022", module: "node16", strict: true, noUncheckedIndexedAccess: true },
    ...{ skipLibCheck: true, types: ["node"], outDir: "build", rootDir: "." },
  };
  const include = ["*/main.ts"];
  writeFileSync(join(base, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
  const { stdout } = run([join(root, "node_modules/typescript/bin/tsc"), "-p", base], base);
  if (stdout !== "") console.log(stdout.trimEnd());
}

/** @param {string} project */
const stackOf = (project) => join(project, "cdktf.out/stacks/main");

/**
 * Returns why a project cannot be synthesized.
 *
 * @param {string} project
 */
function synthesize(project) {
  const program = join(project, "..", "build", project.slice(project.lastIndexOf("/")), "main.js");
  const { status, stderr } = run([program], project);
  return status === 0 ? undefined : firstLine(stderr);
}

/**
 * @param {string} template
 * @param {string} stack
 * @returns {Promise<string | undefined>}
 */
async function differenceOf(template, stack) {
  const [before, after] = [template, stack].map(formOf);
  if (before !== after) return differenceIn("another form", before, after);
  const [ours, theirs] = await Promise.all([addressesIn(stack), addressesIn(template)]);
  const missing = theirs.filter((address) => !ours.includes(address));
  const added = ours.filter((address) => !theirs.includes(address));
  return missing.length + added.length === 0
    ? undefined
    : `${missing.join(", ")} | ${added.join(", ")}`;
}

/** @param {string} folder */
function formOf(folder) {
  const { stdout, stderr } = run([main, "local", "workspace", "preview", folder, "--json"], root);
  return stdout === "" ? firstLine(stderr) : comparable(JSON.parse(stdout));
}

/**
 * Returns how coder's library shows the converted templates in another way, by name; undefined without the library.
 *
 * @param {readonly string[]} names
 * @param {string} folder
 * @param {string} base
 * @returns {Map<string, string[]> | undefined}
 */
function formsByCoder(names, folder, base) {
  const owner = {
    id: "11111111-2222-4333-8444-555555555555",
    name: "ada",
    email: "ada@example.com",
  };
  const folders = names.flatMap((name) => [join(folder, name), stackOf(join(base, name))]);
  const input = folders
    .map((each) => JSON.stringify({ folder: each, values: {}, owner }))
    .join("\n");
  const { error, stdout } = spawnSync("preview-judge", {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) return undefined;
  const forms = stdout
    .trim()
    .split("\n")
    .map((line) => comparable(JSON.parse(line)));
  return new Map(
    names.map((name, at) => {
      const [before, after] = forms.slice(2 * at, 2 * at + 2);
      return [name, before === after ? [] : [differenceIn("another form by coder", before, after)]];
    }),
  );
}

/** A file with a line, as sentences name them. */
const placeInText = /\b[\w.-]+\.tf(?:\.json)?(?::\d[\d,-]*)?/g;

/**
 * A form without the places of its parts, and with everything that is told, in one order.
 *
 * @param {{ parameters: unknown, presets: unknown, tags: unknown, diagnostics: readonly unknown[] }} form
 */
function comparable({ parameters, presets, tags, diagnostics }) {
  const text = (/** @type {unknown} */ value) =>
    JSON.stringify(value, (key, each) => (key === "place" ? undefined : each));
  const told = (diagnostics ?? []).map((each) => text(each).replaceAll(placeInText, "a file"));
  return text({ parameters, presets, tags, diagnostics: told.sort() });
}

/**
 * @param {string} what
 * @param {string | undefined} before
 * @param {string | undefined} after
 */
function differenceIn(what, before = "", after = "") {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const from = Math.max(0, at - 40);
  return `${what}: ${before.slice(from, at + 60)} became ${after.slice(from, at + 60)}`;
}

/** @param {string} folder */
async function addressesIn(folder) {
  const sections = Object.entries(await readStackContent(folder));
  return sections.flatMap(([section, named]) => {
    if (/^(?:\/\/|terraform|provider)$/.test(section)) return [];
    const nested = section === "resource" || section === "data";
    return Object.entries(named).flatMap(([name, each]) =>
      nested
        ? Object.keys(each).map((label) => `${section}.${name}.${label}`)
        : [`${section}.${name}`],
    );
  });
}

/**
 * @param {readonly string[]} args
 * @param {string} cwd
 */
const run = (args, cwd) =>
  spawnSync(process.execPath, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });

/** @param {string} text */
const firstLine = (text) => text.split("\n").find((line) => /\w: |\w\.$/.test(line)) ?? text.trim();
