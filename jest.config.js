"use strict";

// Node would read this file, if there is one, at the start of each process that a test starts, which
// takes longer than the rest of the start. No test needs it: none leaves this machine.
delete process.env["NODE_EXTRA_CA_CERTS"];
// Providers would keep their compiled code in the cache folder of whoever runs the tests.
process.env["TRIVET_CODE_CACHE"] = "0";
// The AWS SDK would print in each worker that its versions of 2027 need another Node.js.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

const providers = require("./scripts/providers.json");
/** The files that `npm test` leaves to `npm test -- --rest`. jest itself leaves out nothing. */
const rest = Object.values(require("./test/rest.json"))
  .flat()
  .map((path) => `**/test/${path}`);
const part = process.env["TEST_PART"];

/**
 * All that runs before synthesis, with cdktn in place of cdktf. Other than with `npm test -- --all`, one of each
 * kind: what is the library's own (base classes, its private behaviour, references), a rule over the stack, a
 * resource, a data source, a construct with blocks, and a whole stack.
 */
const withCdktn =
  process.env["ALL_TESTS"] === "1"
    ? [
        "<rootDir>/test/core/construct/**/*.test.ts",
        "<rootDir>/test/stacks/*.test.ts",
        "<rootDir>/test/core/*/**/{construct,construct-acceptance,rules}.test.ts",
        "<rootDir>/test/core/workspace/template/*.test.ts",
        "<rootDir>/test/core/workspace/product/{coder-stack,native-files}.test.ts",
      ]
    : [
        "<rootDir>/test/core/construct/{base,cdktf-internals,graph,library}/*.test.ts",
        "<rootDir>/test/core/construct/derived/construct.test.ts",
        "<rootDir>/test/core/construct/check/{acknowledge,stack-validation}.test.ts",
        "<rootDir>/test/core/ids/endpoint/construct.test.ts",
        "<rootDir>/test/core/workspace/{external-auth,agent,module}/construct.test.ts",
        "<rootDir>/test/stacks/workspace-template-stack.test.ts",
      ];

/** @type {import("jest").Config} */
const project = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  transform: { "\\.ts$": "<rootDir>/test/transform.js" },
  setupFilesAfterEnv: ["<rootDir>/test/cdktf-in-tests.js"],
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  // A run of `npm test` has a folder for temporary files of its own.
  cacheDirectory: "<rootDir>/node_modules/.cache/jest",
};

const moduleNameMapper = {
  "^fast-check$": "<rootDir>/test/fast-check.js",
  "^@trivet/constructs$": "<rootDir>/src/index.ts",
  // Dynamic imports of our own modules name the compiled file.
  "^(\\.{1,2}/.*)\\.js$": "$1",
  [`^@trivet/constructs/(${providers.join("|")})$`]: "<rootDir>/src/core/$1/index.ts",
  "^@trivet/constructs/testing$": "<rootDir>/src/planner/testing/index.ts",
  "^@trivet/provider-kit(|/host|/testing)$": "<rootDir>/src/core/provider-kit$1/index.ts",
};

/** What is tried with cdktf, in this part of the run. */
const withCdktf = {
  first: ["**/*.test.ts", ...rest.map((path) => `!${path}`)],
  rest,
};

/** @type {import("jest").Config} */
module.exports = {
  // Long enough that only what hangs runs into it, also where the suite gets a tenth of a processor: how
  // fast a machine is decides no test. No test has a shorter time of its own.
  testTimeout: 300_000,
  testSequencer: "<rootDir>/test/sequencer.js",
  projects: [
    {
      ...project,
      displayName: "cdktf",
      globals: { libraryUnderTest: "cdktf" },
      testMatch: withCdktf[part] ?? ["**/*.test.ts"],
      moduleNameMapper,
    },
    // None of the rest.
    part !== "rest" && {
      ...project,
      displayName: "cdktn",
      globals: { libraryUnderTest: "cdktn" },
      // The snapshots are the same.
      testMatch: withCdktn,
      // These name both libraries, or run the compiled package.
      testPathIgnorePatterns: ["/foreign-stack\\.test", "/uncaught-problems\\.test"],
      moduleNameMapper: { ...moduleNameMapper, "^cdktf$": "cdktn" },
    },
  ].filter((each) => each !== false),
};
