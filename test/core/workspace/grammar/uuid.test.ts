import fc from "fast-check";
import {
  isZeroUuid,
  parseUuid,
  uuidRule,
} from "../../../../src/core/workspace/grammar/value-rules";
import { findings } from "./findings";

const uuid = "123e4567-e89b-12d3-a456-426614174000";
const must = "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000";

test.each([uuid, uuid.toUpperCase(), "00000000-0000-0000-0000-000000000000"])(
  "the rule takes %j",
  (text) => expect(findings(uuidRule, text)).toEqual([]),
);

test.each(["", "a", `{${uuid}}`, uuid.replaceAll("-", ""), `${uuid}\n`, `${uuid}0`])(
  "the rule refuses %j",
  (text) => expect(findings(uuidRule, text)).toEqual([must]),
);

test.each([
  uuid,
  uuid.toUpperCase(),
  `{${uuid}}`,
  `urn:uuid:${uuid}`,
  `URN:UUID:${uuid.toUpperCase()}`,
  uuid.replaceAll("-", ""),
])("%j is converted to lowercase with hyphens", (text) => {
  expect(parseUuid(text)).toBe(uuid);
});

test.each([
  "",
  "task",
  `"${uuid}"`,
  `{${uuid}`,
  `(${uuid})`,
  `urn:${uuid}`,
  `{${uuid.replaceAll("-", "")}}`,
  `{{${uuid}}}`,
  ` ${uuid}`,
  `${uuid}\n`,
  uuid.replace("-", "_"),
  "123e4567e89b-12d3-a456-4266141740000",
  "g".repeat(32),
])("%j is not a UUID", (text) => {
  expect(parseUuid(text)).toBeUndefined();
});

test("the result is parsed to itself again", () => {
  fc.assert(
    fc.property(fc.uuid(), (text) => {
      expect(parseUuid(text.replaceAll("-", "").toUpperCase())).toBe(text);
      expect(isZeroUuid(text)).toBe(false);
    }),
  );
});

test("the nil UUID is distinguished from the others", () => {
  expect(isZeroUuid(parseUuid(`{${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}}`) ?? "")).toBe(
    true,
  );
  expect(isZeroUuid(uuid)).toBe(false);
});
