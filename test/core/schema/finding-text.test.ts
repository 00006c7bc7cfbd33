import { correctionText, formatPath } from "../../../src/core/schema";
import {
  annotationText,
  bugText,
  detailText,
  isBugText,
  readAnnotation,
  readDetail,
  remarkOf,
  ruleIn,
  staleRemark,
} from "../../../src/core/schema/finding-text";
import type { Finding, Path } from "../../../src/core/schema";

const acknowledged = { path: 'Demo/a"b', reason: 'said "no" (twice)\nat [x-y]: \\' };
const correction = { got: 'HI"HG\\ [a-b] (got "x")', meant: 'HIGH"; did you mean?' };

/** Whoever writes a rule chooses the words. */
const words = [
  "is odd",
  "is odd [saw-odd]\nin two lines",
  'at b: must be "a" (got "b"). Why?',
  "…",
];
const paths: readonly Path[] = [
  [],
  ["a"],
  ["option", 0, "name"],
  ["labels", 'my key": x'],
  ["a-b", "c.d"],
];

const findings: readonly Finding[] = paths.flatMap((path) =>
  words.flatMap((message) => [
    { code: "ADVICE", severity: "warning", warning: "saw-odd", path, message },
    {
      code: "ADVICE",
      severity: "warning",
      warning: "saw-odd",
      path,
      message: message + correctionText(correction),
      correction,
    },
  ]),
);

test.each([
  [["option", 0, "name"], "option[0].name"],
  [["labels", "my-key"], 'labels["my-key"]'],
  [["labels", "$x", "a b"], 'labels["$x"]["a b"]'],
])("the path %j is written as Terraform's indexes", (path, written) => {
  expect(formatPath(path)).toBe(written);
});

describe.each(findings)("a finding: %j", (finding) => {
  const remark = remarkOf(finding);

  test("is read from an annotation as it was written", () => {
    expect(readAnnotation(annotationText(remark))).toEqual(remark);
    const accepted = { ...remark, acknowledged };
    expect(readAnnotation(annotationText(accepted))).toEqual(accepted);
  });

  test("is read from a diagnostic as it was written", () => {
    const { message, ...data } = remark;
    const text = detailText(`${message}.`, remark.code);
    expect(readDetail(text)).toEqual({ ...data, message: `${message}.` });
    expect(ruleIn(`${message}.`)).toBe(ruleIn(message));
  });
});

test.each(["core", "provider", "project"] as const)(
  "a bug is read as it was written: %s",
  (from) => {
    expect(words.map((each) => isBugText(bugText(each, from)))).toEqual(words.map(() => true));
    expect(words.some(isBugText)).toBe(false);
    expect(isBugText(`${bugText("is odd", from)} It has no number.`)).toBe(false);
  },
);

test("an acknowledgement that matches nothing is read as it was written", () => {
  const stale = staleRemark("saw-odd", acknowledged);
  expect(readAnnotation(annotationText(stale))).toEqual(stale);
});

test.each([
  "",
  "is odd",
  "is odd [beta]",
  "is odd [Saw-Odd]",
  "is odd [saw-odd].",
  'is odd [saw-odd] (acknowledged at "a": b)',
  'severity: is odd (got "HIHG"); did you mean "HIGH"?',
])("the text of another library stays as it is: %j", (message) => {
  expect(readAnnotation(message)).toEqual({ message });
  expect(readDetail(message)).toEqual({ message });
});
