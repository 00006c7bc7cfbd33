// @ts-check
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { trivetExec } from "./trivet-exec.mjs";

/**
 * Terraform's report of a run.
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
 * Runs `trivet exec -- cdktf <verb> <stack>`.
 *
 * @param {"deploy" | "destroy"} verb
 * @param {string} stack
 * @param {import("./trivet-exec.mjs").Setting} setting
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Report>}
 */
export async function cdktf(verb, stack, setting, env) {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve("cdktf-cli/package.json")), "bundle", "bin", "cdktf");
  const { code, log } = await trivetExec([cli, verb, stack, "--auto-approve"], setting, env);
  return { code, log, ...counts(log), actions: actions(log) };
}

/**
 * What was done, or else what was planned: on a busy machine, cdktf ends before it has shown Terraform's last
 * lines. Its exit code says whether the plan was carried out.
 *
 * @param {string} log
 */
function counts(log) {
  const applied =
    /Resources: (?:\d+ imported, )?(\d+) added, (\d+) changed, (\d+) destroyed/.exec(log) ??
    /Destroy complete! Resources: ()()(\d+) destroyed/.exec(log) ??
    /Plan: (?:\d+ to import, )?(\d+) to add, (\d+) to change, (\d+) to destroy/.exec(log);
  const [added = 0, changed = 0, destroyed = 0] = (applied ?? []).slice(1).map(Number);
  return { added, changed, destroyed };
}

/** The actions in a plan, and their names in the report. */
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
 * Resources of one type in a state of terraform.
 *
 * @param {string} file
 * @param {string} type
 * @returns {Promise<{ address: string, attributes: any }[]>}
 */
export async function resourcesInState(file, type) {
  /** @type {{ resources: { mode: string, type: string, name: string, instances: any[] }[] }} */
  const { resources } = JSON.parse(await readFile(file, "utf8"));
  return resources
    .filter((resource) => resource.mode === "managed" && resource.type === type)
    .flatMap(({ name, instances }) =>
      instances.map(({ attributes }) => ({ address: `${type}.${name}`, attributes })),
    );
}
