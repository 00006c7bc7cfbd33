"use strict";

const { relative } = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

/** The seconds of the files that take longest, for a checkout in which jest has not run yet. */
const seconds = require("./durations.json");

const durationOf = ({ duration, path }) =>
  duration ?? (seconds[relative(module.path, path)] ?? 0) * 1000;

/** Starts the slowest files first, so that no worker is left with one at the end. */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => durationOf(other) - durationOf(one));
  }
};
