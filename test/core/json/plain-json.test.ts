import { runInNewContext } from "node:vm";
import { isObject, isPlainObject, isRecord } from "../../../src/core/json/plain-json";

class Instance {
  readonly a = 1;
}

/** A value, and whether it is a record, a JSON object, a plain object. */
test.each<readonly [string, unknown, boolean, boolean, boolean]>([
  ["an object", { a: 1 }, true, true, true],
  ["an empty object", {}, true, true, true],
  ["an object without a prototype", Object.create(null), true, true, true],
  ["an instance", new Instance(), true, true, false],
  ["a date", new Date(0), true, true, false],
  ["an object of another realm", runInNewContext("({})"), true, true, false],
  ["an array", [1], true, false, false],
  ["null", null, false, false, false],
  ["nothing", undefined, false, false, false],
  ["a string", "a", false, false, false],
  ["a number", 1, false, false, false],
  ["a function", () => 1, false, false, false],
])("%s", (_, value, record, object, plain) => {
  expect([isRecord(value), isObject(value), isPlainObject(value)]).toEqual([record, object, plain]);
});
