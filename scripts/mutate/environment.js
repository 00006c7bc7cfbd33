"use strict";

const { createHash } = require("node:crypto");
const { mkdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { TestEnvironment } = require("jest-environment-node");

const { reachedIn } = JSON.parse(process.env["TRIVET_MUTANT"] ?? "{}");

/** Skips the tests after one that fails, and keeps which functions a file of tests reaches. */
module.exports = class extends TestEnvironment {
  #path;
  #hasFailed = false;

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
    this.global.__reached = new Set();
  }

  handleTestEvent({ name, test }) {
    this.#hasFailed ||= name === "test_fn_failure" || name === "hook_failure";
    if (name === "test_start" && this.#hasFailed) test.mode = "skip";
  }

  async teardown() {
    if (reachedIn !== undefined) {
      mkdirSync(reachedIn, { recursive: true });
      const name = createHash("sha256").update(this.#path).digest("hex");
      const reached = { path: this.#path, entries: [...this.global.__reached] };
      writeFileSync(join(reachedIn, `${name}.json`), JSON.stringify(reached));
    }
    await super.teardown();
  }
};
