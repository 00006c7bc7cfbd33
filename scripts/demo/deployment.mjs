// @ts-check
import { createRequire } from "node:module";
import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { start } from "./process.mjs";

/**
 * What terraform said that it did.
 *
 * @typedef {object} Report
 * @property {number} code exit code of `trivet exec`
 * @property {string} log
 * @property {number} added
 * @property {number} changed
 * @property {number} destroyed
 * @property {string[]} actions such as "ids_endpoint.edge replaced"
 */

/**
 * Runs `trivet exec -- cdktf <verb>` in a folder.
 *
 * @param {"deploy" | "destroy"} verb
 * @param {{ trivet: string, mirror: string, cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<Report>}
 */
export async function cdktf(verb, { trivet, mirror, cwd, env }) {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve("cdktf-cli/package.json")), "bundle", "bin", "cdktf");
  const command = [process.execPath, cli, verb, "--auto-approve"];
  const started = start([trivet, "exec", "--dir", mirror, "--", ...command], { cwd, env });
  const code = await started.ended;
  const log = started.output();
  return { code, log, ...counts(log), actions: actions(log) };
}

/** @param {string} log */
function counts(log) {
  const applied =
    /Resources: (?:\d+ imported, )?(\d+) added, (\d+) changed, (\d+) destroyed/.exec(log) ??
    /Destroy complete! Resources: ()()(\d+) destroyed/.exec(log);
  const [added = 0, changed = 0, destroyed = 0] = (applied ?? []).slice(1).map(Number);
  return { added, changed, destroyed };
}

/** What a plan announces, and the word for it once it is done. */
const done = new Map([
  ["will be created", "created"],
  ["will be updated in-place", "updated in place"],
  ["must be replaced", "replaced"],
  ["will be destroyed", "destroyed"],
]);

/** @param {string} log */
function actions(log) {
  // After the address, cdktf's construct path in brackets.
  const planned =
    /# (\S+)(?: \(.*?\))? (will be created|will be updated in-place|must be replaced|will be destroyed)/g;
  return [
    ...new Set(
      [...log.matchAll(planned)].map(([, address, what = ""]) => `${address} ${done.get(what)}`),
    ),
  ];
}

/**
 * The endpoints in terraform's state, by the name the service knows them under.
 *
 * @param {string} folder
 * @returns {Promise<{ name: string, project: string }[]>}
 */
export async function endpointsInState(folder) {
  const names = await readdir(folder);
  const files = names.filter((name) => /^terraform\..*\.tfstate$/.test(name));
  const states = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return states
    .flatMap((text) => JSON.parse(text).resources)
    .filter(({ mode, type }) => mode === "managed" && type === "ids_endpoint")
    .flatMap(({ instances }) => instances.map((/** @type {any} */ each) => each.attributes));
}
