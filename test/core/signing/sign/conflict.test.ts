import type { Conflict } from "../../../../src/core/signing/sign/enums";
import {
  comesFirst,
  decide,
  type Existing,
  type Form,
} from "../../../../src/core/signing/sign/signing-run";

/** `+1` is ours with the intended content, `+2` ours with other content; `-1` and `-2` are not ours. */
const existing = (text: string): readonly Existing<string>[] =>
  text
    .split(" ")
    .filter((name) => name !== "")
    .map((item) => ({ item, isOurs: item.startsWith("+"), isSame: item[1] === "1" }));

function decided(conflict: Conflict, form: Form, before: string): string {
  const { keep, remove } = decide(conflict, form, existing(before));
  const what = keep === undefined ? "sign" : `keep ${keep}`;
  return [what, ...remove.map((item) => `remove ${item}`)].join(", ");
}

const forms: readonly Form[] = ["signature-layer", "attestation-layer", "bundle"];

describe.each(forms)("what exists and the conflict decide, for a %s:", (form) => {
  test.each<[Conflict, string, string]>([
    ["APPEND", "", "sign"],
    ["APPEND", "+1", "sign"],
    ["APPEND", "+2", "sign"],
    ["APPEND", "+1 +1b +2", "sign"],
    ["APPEND", "-1 -2", "sign"],
    ["REPLACE", "", "sign"],
    ["REPLACE", "+1", "sign, remove +1"],
    ["REPLACE", "+2", "sign, remove +2"],
    ["REPLACE", "-1 +2 -2 +1 +1b", "sign, remove +2, remove +1, remove +1b"],
    ["REPLACE", "-1 -2", "sign"],
    ["SKIPSAME", "", "sign"],
    ["SKIPSAME", "+1", "keep +1"],
    ["SKIPSAME", "+2", "sign, remove +2"],
    ["SKIPSAME", "+2 +2b", "sign, remove +2, remove +2b"],
    // Those of others, and broken ones, do not speak for us.
    ["SKIPSAME", "-1 -2", "sign"],
    ["SKIPSAME", "-1 +1 -2", "keep +1"],
    ["SKIPSAME", "-1 +2", "sign, remove +2"],
  ])("%s on [%s]: %s", (conflict, before, after) => {
    expect(decided(conflict, form, before)).toBe(after);
  });
});

test.each<[Form, string, string]>([
  ["signature-layer", "+1 +1b", "keep +1"],
  ["attestation-layer", "+1 +1b", "sign, remove +1, remove +1b"],
  ["attestation-layer", "+2 +1", "sign, remove +2, remove +1"],
  ["bundle", "+1 +1b", "keep +1, remove +1b"],
  ["bundle", "+2 +1 -2", "keep +1, remove +2"],
])("where more of ours is there than the same, SKIPSAME for a %s on [%s]: %s", (...row) => {
  const [form, before, after] = row;
  expect(decided("SKIPSAME", form, before)).toBe(after);
});

test.each<[Conflict, readonly boolean[]]>([
  ["APPEND", [false, false, false]],
  ["REPLACE", [true, true, true]],
  ["SKIPSAME", [false, true, false]],
])("%s puts what is new before what stays: %j", (conflict, expected) => {
  expect(forms.map((form) => comesFirst(conflict, form))).toEqual(expected);
});
