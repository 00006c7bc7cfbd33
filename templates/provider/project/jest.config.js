/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  // `npm test` checks types before. Errors name lines of the TypeScript sources.
  transform: { "\\.ts$": "ts-jest" },
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // Tests run the real Terraform. Only what hangs takes so long, also on a slow machine.
  testTimeout: 300_000,
};
