"use strict";

const { projects, testTimeout } = require("../../jest.config.js");

const [project] = projects;

/** @type {import("jest").Config} */
module.exports = {
  ...project,
  rootDir: "../..",
  testSequencer: "<rootDir>/scripts/mutate/sequencer.js",
  transform: { "\\.ts$": "<rootDir>/scripts/mutate/transform.js" },
  testTimeout,
};
