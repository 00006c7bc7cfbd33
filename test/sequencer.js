"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Starts the slowest files first, so that no worker is left with one at the end. jest uses how long a
 * file took last time; in a new checkout it uses the size, and the files that run Terraform are small.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isSlow = ({ duration, path }) => duration === undefined && /[\\/]e2e[\\/]/.test(path);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
};
