"use strict";

const { createHash } = require("node:crypto");
const { transformSync, version } = require("esbuild");

/** Turns one TypeScript file into CommonJS for jest; types are checked by `npm run lint`. */
module.exports = {
  getCacheKey: (source, path) =>
    createHash("sha256").update([version, path, source].join("\0")).digest("hex"),
  process: (source, path) =>
    transformSync(source, {
      loader: "ts",
      format: "cjs",
      target: "node20",
      // jest runs CommonJS without a loader for ES modules.
      supported: { "dynamic-import": false },
      sourcemap: "inline",
      sourcefile: path,
    }),
};
