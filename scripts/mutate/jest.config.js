"use strict";

const { projects, testTimeout } = require("../../jest.config.js");

const [project] = projects;

/** @type {import("jest").Config} */
module.exports = {
  ...project,
  rootDir: "../..",
  testEnvironment: "<rootDir>/scripts/mutate/environment.js",
  testSequencer: "<rootDir>/scripts/mutate/sequencer.js",
  transform: { "\\.ts$": "<rootDir>/scripts/mutate/transform.js" },
  testTimeout,
};
