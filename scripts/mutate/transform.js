"use strict";

const transform = require("../../test/transform.js");

/**
 * The change that this run tries, or, in the run without a change, where the functions of each file start. jest
 * compiles the file with it.
 */
const {
  path,
  start,
  end,
  replacement,
  entries = {},
} = JSON.parse(process.env["TRIVET_MUTANT"] ?? "{}");

function mutated(source, file) {
  if (file === path) return source.slice(0, start) + replacement + source.slice(end);
  let text = source;
  for (const entry of (entries[file] ?? []).toSorted((one, other) => other - one)) {
    const probe = `globalThis.__reached?.add(${JSON.stringify(`${file}:${entry}`)});`;
    text = text.slice(0, entry) + probe + text.slice(entry);
  }
  return text;
}

module.exports = {
  getCacheKey: (source, file) => transform.getCacheKey(mutated(source, file), file),
  process: (source, file) => transform.process(mutated(source, file), file),
};
