import { regoAnswer } from "../../../../../src/core/signing/policy/engine/evaluate-rego";

const run = (output: unknown, errors = "", code = 2) => ({
  code,
  output: JSON.stringify(output),
  errors,
});

const undecided = (problem: string) => ({
  isCompliant: false,
  problem: `cannot be evaluated: ${problem}`,
  isUndecided: true,
});

test("the messages of all errors are quoted, and other values among them are left out", () => {
  const errors = [{ message: "a" }, {}, "x", { message: 3 }, null, { message: "b" }];
  expect(regoAnswer(run({ errors }))).toEqual(undecided("a; b"));
});

test("without a message, standard error is quoted, then what was printed", () => {
  expect(regoAnswer(run({ errors: [] }, " stopped \n"))).toEqual(undecided("stopped"));
  expect(regoAnswer(run({ x: 1 }))).toEqual(undecided('{"x":1}'));
  const silent = { code: 3, output: "", errors: "" };
  expect(regoAnswer(silent)).toEqual(undecided("opa ended with 3"));
});

test("only an object without errors is an output", () => {
  const result = [{ expressions: [{ value: true }] }];
  expect(regoAnswer(run({ result }, "", 0))).toEqual({ isCompliant: true });
  expect(regoAnswer(run({ result }, "a warning", 0))).toEqual(undecided("a warning"));
  expect(regoAnswer(run({ result }, "", 1))).toMatchObject({ isUndecided: true });
  expect(regoAnswer(run([], "", 0))).toEqual(undecided("[]"));
  expect(regoAnswer({ problem: "is not on PATH" })).toEqual(undecided("opa is not on PATH"));
});
