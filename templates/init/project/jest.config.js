/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  // `npm test` checks types before. Errors name lines of the TypeScript sources.
  transform: { "\\.ts$": "ts-jest" },
  testMatch: ["<rootDir>/*.test.ts"],
  setupFilesAfterEnv: ["<rootDir>/jest.setup.ts"],
};
