// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { clearTimeout, setTimeout } from "node:timers";

/** The longest wait for a process to end after it was told to. */
const MAX_END_MS = 15_000;

/**
 * @typedef {object} Running
 * @property {import("node:child_process").ChildProcess} child
 * @property {() => string} output its output so far, without colours
 * @property {() => string} stdout its standard output so far
 * @property {Promise<number>} ended its exit code; 1 if a signal ended it
 */

/** @type {Set<Running>} */
const running = new Set();

/**
 * Starts node with a script and collects its output. It runs in its own session, so that Ctrl-C reaches
 * only the demo, which then stops everything in order.
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
 * Interrupts a process as Ctrl-C would. Kills it and its children if it does not end.
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

/** Stops everything in reverse order, so that users of a service stop before the service. */
export async function stopAll() {
  for (const process of [...running].reverse()) await stop(process);
}

/** @param {string} text */
function withoutEscapes(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
}
