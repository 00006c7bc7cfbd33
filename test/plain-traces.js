"use strict";

// cdktf keeps the whole trace of each token, and hardly any test looks at it. Finding its lines in the sources takes an
// eighth of the time of the tests of constructs, so that whole traces name the lines of what jest runs.
const mapped = Error.prepareStackTrace;
Error.prepareStackTrace = (error, frames) =>
  Error.stackTraceLimit === Number.MAX_SAFE_INTEGER
    ? [error, ...frames].join("\n    at ")
    : mapped(error, frames);
