import { runInNewContext } from "node:vm";
import { isObject, isPlainObject, isRecord } from "../../src/json/is-object";

class Instance {
  readonly a = 1;
}

/** A value, and what it is: with properties, an object of JSON, an object of no class. */
test.each<readonly [string, unknown, boolean, boolean, boolean]>([
  ["an object", { a: 1 }, true, true, true],
  ["an empty object", {}, true, true, true],
  ["one that inherits nothing", Object.create(null), true, true, true],
  ["an instance", new Instance(), true, true, false],
  ["a date", new Date(0), true, true, false],
  ["an object of another realm", runInNewContext("({})"), true, true, false],
  ["a list", [1], true, false, false],
  ["null", null, false, false, false],
  ["nothing", undefined, false, false, false],
  ["a text", "a", false, false, false],
  ["a number", 1, false, false, false],
  ["a function", () => 1, false, false, false],
])("%s", (_, value, record, object, plain) => {
  expect([isRecord(value), isObject(value), isPlainObject(value)]).toEqual([record, object, plain]);
});
