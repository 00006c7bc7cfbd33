import { opaOutput } from "../../../../../src/core/signing/policy/engine/evaluate-rego";

const run = (output: unknown, errors = "", code = 2) => ({
  code,
  output: JSON.stringify(output),
  errors,
});

test("the messages of all errors are quoted, and other values among them are left out", () => {
  const errors = [{ message: "a" }, {}, "x", { message: 3 }, null, { message: "b" }];
  expect(opaOutput(run({ errors }))).toEqual({ problem: "a; b" });
});

test("without a message, standard error is quoted, then what was printed", () => {
  expect(opaOutput(run({ errors: [] }, " stopped \n"))).toEqual({ problem: "stopped" });
  expect(opaOutput(run({ x: 1 }))).toEqual({ problem: '{"x":1}' });
  expect(opaOutput({ code: 3, output: "", errors: "" })).toEqual({ problem: "opa ended with 3" });
});

test("only an object without errors is an output", () => {
  expect(opaOutput(run({ result: [] }, "", 0))).toEqual({ value: { result: [] } });
  expect(opaOutput(run([], "", 0))).toEqual({ problem: "[]" });
  expect(opaOutput({ problem: "is not on PATH" })).toEqual({ problem: "opa is not on PATH" });
});
