"use strict";

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  transform: { "\\.ts$": "<rootDir>/test/transform.js" },
  moduleNameMapper: {
    "^trivet$": "<rootDir>/src/index.ts",
    "^trivet/(ids|provider-kit)$": "<rootDir>/src/$1/index.ts",
  },
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
};
