/** True with `npm test -- --all`, which also runs what only repeats the code of another test. */
export const allTests = process.env["ALL_TESTS"] === "1";

/** Everything that can be tried, with `npm test -- --all`; otherwise a sample with one of each kind. */
export const sample = <T>(all: T, gate: T): T => (allTests ? all : gate);
