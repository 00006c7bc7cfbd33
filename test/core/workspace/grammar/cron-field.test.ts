import fc from "fast-check";
import { cronFields, parseCronField } from "../../../../src/core/workspace/grammar/cron-field";

const values = (text: string, kind: keyof typeof cronFields): readonly number[] | undefined => {
  const field = parseCronField(text, cronFields[kind]);
  return field && [...field.values].sort((a, b) => a - b);
};

test.each([
  ["*", "weekday", [0, 1, 2, 3, 4, 5, 6]],
  ["?", "weekday", [0, 1, 2, 3, 4, 5, 6]],
  ["5", "hour", [5]],
  ["05", "hour", [5]],
  ["1,3-5", "dayOfMonth", [1, 3, 4, 5]],
  ["*/6", "hour", [0, 6, 12, 18]],
  ["*/10", "dayOfMonth", [1, 11, 21, 31]],
  ["5/10", "second", [5, 15, 25, 35, 45, 55]],
  ["10-20/5", "minute", [10, 15, 20]],
  ["*/100", "hour", [0]],
  ["mon-FRI", "weekday", [1, 2, 3, 4, 5]],
  ["Jan,12", "month", [1, 12]],
  ["mon-5", "weekday", [1, 2, 3, 4, 5]],
  ["oct/1", "month", [10, 11, 12]],
] as const)("%j is a %s", (text, kind, expected) => {
  expect(values(text, kind)).toEqual(expected);
});

test.each([
  ["", "hour"],
  ["24", "hour"],
  ["60", "second"],
  ["0", "dayOfMonth"],
  ["32", "dayOfMonth"],
  ["0", "month"],
  ["13", "month"],
  ["7", "weekday"],
  ["5-3", "hour"],
  ["sat-sun", "weekday"],
  ["*/0", "hour"],
  ["1/0", "hour"],
  ["1-2-3", "hour"],
  ["1/2/3", "hour"],
  ["*-5", "hour"],
  ["1,,2", "hour"],
  [",", "hour"],
  ["1,", "hour"],
  ["L", "dayOfMonth"],
  ["15W", "dayOfMonth"],
  ["MON#2", "weekday"],
  ["monday", "weekday"],
  ["jan", "weekday"],
  ["mon", "hour"],
  ["-1", "hour"],
  ["+1", "hour"],
  ["1.5", "hour"],
  ["*/x", "hour"],
  ["1 ", "hour"],
] as const)("%j is not a %s", (text, kind) => {
  expect(values(text, kind)).toBeUndefined();
});

test.each([
  ["*", true],
  ["?", true],
  ["*/1", true],
  ["1,*", true],
  ["*/2", false],
  ["0-6", false],
])("%j leaves the choice open: %j", (text, star) => {
  expect(parseCronField(text, cronFields.weekday)?.star).toBe(star);
});

test("a range with a step contains its start and every step from there", () => {
  const range = fc.tuple(fc.nat(59), fc.nat(59), fc.integer({ min: 1, max: 70 }));
  fc.assert(
    fc.property(range, ([a, b, step]) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)];
      const expected = Array.from({ length: 60 }, (_, value) => value).filter(
        (value) => value >= first && value <= last && (value - first) % step === 0,
      );
      expect(values(`${first}-${last}/${step}`, "minute")).toEqual(expected);
    }),
  );
});

test("a list is the union of its parts", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(23), { minLength: 1 }), (hours) => {
      expect(values(hours.join(), "hour")).toEqual([...new Set(hours)].sort((a, b) => a - b));
    }),
  );
});
