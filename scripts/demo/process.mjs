// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { clearTimeout, setTimeout } from "node:timers";

/** Longest wait for a process to end after it was asked to. */
const MAX_END_MS = 15_000;

/**
 * @typedef {object} Running
 * @property {import("node:child_process").ChildProcess} child
 * @property {() => string} output all of it until now, without colours
 * @property {() => string} stdout what it has written to its standard output until now
 * @property {Promise<number>} ended its exit code; 1 when a signal ended it
 */

/** @type {Set<Running>} */
const running = new Set();

/**
 * Starts node with a script and collects what it prints. In a session of its own, so that Ctrl-C
 * reaches the demo alone, which then stops things in order.
 *
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Running}
 */
export function start(args, options) {
  const child = spawn(process.execPath, args, {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let stdout = "";
  child.stdout.on("data", (data) => {
    text += data;
    stdout += data;
  });
  child.stderr.on("data", (data) => (text += data));
  const ended = once(child, "close").then(([code]) => Number(code ?? 1));
  const started = { child, output: () => withoutEscapes(text), stdout: () => stdout, ended };
  running.add(started);
  void ended.finally(() => running.delete(started));
  return started;
}

/**
 * Asks a process to end as Ctrl-C would; kills it and what it started when it does not.
 *
 * @param {Running} process
 */
export async function stop({ child, ended }) {
  child.kill("SIGINT");
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, MAX_END_MS);
  await ended;
  clearTimeout(timer);
}

/** Stops everything, the latest first: what uses a thing before the thing. */
export async function stopAll() {
  for (const process of [...running].reverse()) await stop(process);
}

/** @param {string} text */
function withoutEscapes(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
}
