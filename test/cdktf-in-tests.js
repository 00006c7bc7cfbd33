"use strict";

const childProcess = require("node:child_process");
const { runInThisContext } = require("node:vm");

// cdktf keeps the whole trace of each token, and hardly any test looks at it. Finding its lines in the sources takes an
// eighth of the time of the tests of constructs, so that whole traces name the lines of what jest runs.
const mapped = Error.prepareStackTrace;
Error.prepareStackTrace = (error, frames) =>
  Error.stackTraceLimit === Number.MAX_SAFE_INTEGER
    ? [error, ...frames].join("\n    at ")
    : mapped(error, frames);

// cdktf asks Terraform for its version in each synthesis. The answer stays the same as long as the worker runs. Outside of
// the context of the test file, which would otherwise be kept.
const remember = runInThisContext(`(execSync) => {
  const answers = new Map();
  return function rememberedExecSync(command, options) {
    if (!/^\\S+ version$/.test(command)) return execSync(command, options);
    if (!answers.has(command)) answers.set(command, execSync(command, options));
    return answers.get(command);
  };
}`);
if (childProcess.execSync.name !== "rememberedExecSync") {
  childProcess.execSync = remember(childProcess.execSync);
}
