// Prints the time, in microseconds, of evaluating expressions once.
import { evaluate } from "../../src/planner/expression/evaluate";
import { callFunction } from "../../src/planner/expression/function";
import { terraformFunctions } from "../../src/planner/expression/functions";
import { parseExpression } from "../../src/planner/expression/parse";
import { EvaluationError, Value } from "../../src/planner/expression/value";

const texts = [
  "i + 1",
  "i % 2",
  "-i",
  "i / 2",
  "i * 1.1",
  "0.1 + 0.2",
  'format("%v", i)',
  "toset([{ a = i }, { a = 2 }])",
];

const count = 20_000;

for (const text of texts) {
  const parsed = parseExpression(text);
  const start = process.hrtime.bigint();
  for (let i = 1; i <= count; i++) {
    evaluate(parsed, {
      variable: () => Value.number(i),
      call: (name, args) => {
        const fn = terraformFunctions.get(name);
        if (fn === undefined) throw new EvaluationError(`There is no function ${name}.`);
        return callFunction(name, fn, args);
      },
    });
  }
  const microseconds = Number(process.hrtime.bigint() - start) / 1000 / count;
  console.log(`${text}: ${microseconds.toFixed(1)} µs`);
}
