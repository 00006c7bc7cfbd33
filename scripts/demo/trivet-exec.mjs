// @ts-check
import { start } from "./process.mjs";

/**
 * Where the demo runs.
 *
 * @typedef {object} Setting
 * @property {string} trivet the command's file
 * @property {string} mirror the folder that the providers are installed in
 * @property {string} project the folder with cdktf.json
 * @property {() => void} stopIfAsked throws when the demo was interrupted
 */

/**
 * What a step of the demo did, for the summary.
 *
 * @typedef {object} Done
 * @property {string} title
 * @property {number} seconds
 * @property {string} counts
 * @property {string[]} details
 */

const LOG_LINES = 40;

/**
 * Runs `trivet exec -- <command>` in the project.
 *
 * @param {readonly string[]} command
 * @param {Setting} setting
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, stdout: string, log: string }>} `log` is all that it printed
 */
export async function trivetExec(command, { trivet, mirror, project }, env) {
  const started = start([trivet, "exec", "--dir", mirror, "--", process.execPath, ...command], {
    cwd: project,
    env,
  });
  const code = await started.ended;
  return { code, stdout: started.stdout(), log: started.output() };
}

/**
 * What to say of a failure: the end of a log.
 *
 * @param {string} log
 */
export function tail(log) {
  return log.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
}
