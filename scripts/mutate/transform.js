"use strict";

const transform = require("../../test/transform.js");

/** The change that this run tries. jest compiles the file with it. */
const { path, start, end, replacement } = JSON.parse(process.env["TRIVET_MUTANT"] ?? "{}");

const mutated = (source, file) =>
  file === path ? source.slice(0, start) + replacement + source.slice(end) : source;

module.exports = {
  getCacheKey: (source, file) => transform.getCacheKey(mutated(source, file), file),
  process: (source, file) => transform.process(mutated(source, file), file),
};
