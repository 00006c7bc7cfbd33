// @ts-check
import { join, relative, sep } from "node:path";
import { root } from "../providers.mjs";

/** @typedef {{ title: string, seconds: number }} Step a step of the linter */
/** @typedef {{ name: string, startTime: number, endTime: number }} TestFile as in the result of jest */

/** The folders of tests that are not unit tests. */
const kinds = ["e2e", "packed", "release", "docs"];

/** As many rooms are named. */
const most = 10;

/**
 * What took the time: the kinds of tests, the rooms of the unit tests, and the steps of the linter, each in
 * seconds from its start to its end. They run side by side, so their sum is more than what has passed.
 *
 * @param {readonly TestFile[]} files
 * @param {readonly Step[]} steps
 */
export function timeByKind(files, steps) {
  /** @type {Map<string, number>} */
  const byKind = new Map();
  /** @type {Map<string, number>} */
  const byRoom = new Map();
  for (const { name, startTime, endTime } of files) {
    const [folder = "", ...path] = relative(join(root, "test"), name).split(sep);
    const seconds = (endTime - startTime) / 1000;
    const isUnit = !kinds.includes(folder);
    add(byKind, isUnit ? "unit" : folder, seconds);
    if (isUnit) add(byRoom, path.length > 1 ? `${folder}/${path[0]}` : folder, seconds);
  }
  const rooms = [...byRoom].sort(([, one], [, other]) => other - one);
  const rest = rooms.slice(most).reduce((sum, [, seconds]) => sum + seconds, 0);
  const named = rooms.slice(0, most);
  if (rooms.length > most) named.push([`${rooms.length - most} others`, rest]);
  const linted = steps.map(({ title, seconds }) => /** @type {const} */ ([title, seconds]));
  return [
    "Seconds by kind, side by side:",
    line("tests", [...byKind]),
    line("unit", named),
    ...(linted.length === 0 ? [] : [line("lint", linted)]),
  ].join("\n");
}

/**
 * The seconds of the files that take ten or more, which `test/sequencer.js` starts first.
 *
 * @param {readonly TestFile[]} files
 */
export function durations(files) {
  const seconds = files
    .map(({ name, startTime, endTime }) => {
      const path = relative(join(root, "test"), name).split(sep).join("/");
      return /** @type {const} */ ([path, Math.round((endTime - startTime) / 1000)]);
    })
    .filter(([, each]) => each >= 10)
    .sort(([, one], [, other]) => other - one);
  return Object.fromEntries(seconds);
}

/**
 * @param {Map<string, number>} sums
 * @param {string} key
 * @param {number} value
 */
function add(sums, key, value) {
  sums.set(key, (sums.get(key) ?? 0) + value);
}

/**
 * @param {string} title
 * @param {(readonly [string, number])[]} parts
 */
function line(title, parts) {
  const sum = parts.reduce((all, [, seconds]) => all + seconds, 0);
  const largest = parts.toSorted(([, one], [, other]) => other - one);
  const texts = largest.map(([name, seconds]) => `${name} ${seconds.toFixed(0)}`);
  return `  ${`${title}:`.padEnd(6)} ${sum.toFixed(0).padStart(5)} = ${texts.join(" + ")}`;
}
