// @ts-check
import { start } from "./process.mjs";

/**
 * Where the demo runs.
 *
 * @typedef {object} Setting
 * @property {string} trivet the command's file
 * @property {string} mirror the folder that the providers are installed in
 * @property {string} project the folder with cdktf.json
 * @property {() => void} throwIfInterrupted throws when the demo was interrupted
 */

/**
 * The result of a step of the demo, for the summary.
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
 * @returns {Promise<{ code: number, stdout: string, log: string }>} `log` is its entire output
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
 * The end of a log, to explain a failure.
 *
 * @param {string} log
 */
export function tail(log) {
  return log.trimEnd().split("\n").slice(-LOG_LINES).join("\n");
}
