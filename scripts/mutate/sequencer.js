"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/** The quickest tests first: most changes are noticed by these. */
module.exports = class extends Sequencer {
  sort(tests) {
    return tests.toSorted((one, other) => (one.duration ?? 0) - (other.duration ?? 0));
  }
};
