"use strict";

const { existsSync } = require("node:fs");
const { join, relative } = require("node:path");
const { default: Sequencer } = require("@jest/test-sequencer");

/** The files that take longest, the longest first. */
const longest = [
  // They wait for time-outs, while others use the processor.
  "signing/copy/faults",
  "signing/sign/faults",
  "packed/init-cdktf",
  "e2e/stack-deployment",
  "e2e/workspace-page",
  "packed/pack-command",
  "release/release",
  "signing/policy/parse/yaml-documents",
  "signing/attest/limits",
  "packed/cdktn",
  "e2e/crash-safety",
  "workspace/handlers-acceptance",
  "e2e/workspace-page-interruption",
  "docs/examples/examples",
  "signing/sign/crash",
  "pack/compiled/compiled-package",
  "signing/verify/policy-evidence",
  "workspace/local/preview/preview-outside",
  "packed/init-cdktn",
  "packed/cdktn-deploy",
  "packed/new-provider",
  "e2e/cdktf-deploy",
].map((name) => join(module.path, `${name}.test.ts`));

for (const path of longest) {
  if (!existsSync(path)) throw new Error(`${relative(process.cwd(), path)} is not a test any more`);
}

const runsPrograms = /[\\/](?:e2e|packed|release|examples)[\\/]/;

/**
 * Starts the slowest files first, so that no worker is left with one at the end. jest uses how long a
 * file took last time; in a new checkout it uses the size, and the files that run programs are small.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ duration, path }) => {
      if (duration !== undefined) return longest.length + 1;
      const place = longest.indexOf(path);
      if (place !== -1) return place;
      return runsPrograms.test(path) ? longest.length : longest.length + 1;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
};
