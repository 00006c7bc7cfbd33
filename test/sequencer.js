"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Starts what takes longest first, so that no worker is left with it at the end. jest goes by how long a
 * file took last time; in a new checkout it goes by size, and the files that run Terraform are small.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isSlow = ({ duration, path }) => duration === undefined && /[\\/]e2e[\\/]/.test(path);
    return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
  }
};
