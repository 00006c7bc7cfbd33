/** True with `npm test -- --all`, which also runs what only repeats the code of another test. */
export const allTests = process.env["ALL_TESTS"] === "1";
