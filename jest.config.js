"use strict";

// Node would read this file, if there is one, at the start of each process that a test starts, which
// takes longer than the rest of the start. No test needs it: none leaves this machine.
delete process.env["NODE_EXTRA_CA_CERTS"];

const providers = require("./scripts/providers.json");
const entries = [...providers, "provider-kit", "provider-kit/testing"].join("|");

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  // Long enough that only what hangs runs into it, also where the suite gets a tenth of a processor: how
  // fast a machine is decides no test. No test has a shorter time of its own.
  testTimeout: 300_000,
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testSequencer: "<rootDir>/test/sequencer.js",
  transform: { "\\.ts$": "<rootDir>/test/transform.js" },
  moduleNameMapper: {
    "^fast-check$": "<rootDir>/test/fast-check.js",
    "^trivet$": "<rootDir>/src/index.ts",
    // Dynamic imports of our own modules name the compiled file.
    "^(\\.{1,2}/.*)\\.js$": "$1",
    [`^trivet/(${entries})$`]: "<rootDir>/src/$1/index.ts",
  },
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
};
