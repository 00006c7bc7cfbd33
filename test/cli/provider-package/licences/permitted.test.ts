import {
  isPermitted,
  permissiveLicences,
  refuseLicences,
  standardTextOf,
} from "../../../../src/cli/provider-package/licences/permitted";
import type { ThirdParty } from "../../../../src/cli/provider-package/licences/third-parties";

const text = { file: "LICENSE", kind: "licence", text: "You may." } as const;
const thirdParty = (licence: string | undefined, rest: Partial<ThirdParty> = {}): ThirdParty => ({
  name: "pad",
  version: "1.0.0",
  licence,
  origin: "",
  folder: "node_modules/pad",
  texts: [text],
  ...rest,
});

test.each([
  ["MIT", true],
  ["(MIT)", true],
  ["MIT+", true],
  ["GPL-3.0-only", false],
  ["MIT OR GPL-3.0-only", true],
  ["GPL-3.0-only OR MIT", true],
  ["GPL-3.0-only OR LGPL-3.0-only", false],
  ["(GPL-3.0-only) OR MIT", true],
  ["((GPL-3.0-only) AND MIT) OR (ISC)", true],
  ["MIT AND ISC", true],
  ["MIT AND GPL-3.0-only", false],
  ["GPL-3.0-only AND MIT", false],
  // AND binds more closely.
  ["MIT OR GPL-3.0-only AND LGPL-3.0-only", true],
  ["GPL-3.0-only AND LGPL-3.0-only OR MIT", true],
  ["(MIT OR GPL-3.0-only) AND LGPL-3.0-only", false],
  ["(MIT OR GPL-3.0-only) AND (ISC OR LGPL-3.0-only)", true],
  ["((MIT) AND (ISC))", true],
  ["Apache-2.0 WITH LLVM-exception", true],
  ["GPL-2.0-only WITH Classpath-exception-2.0", false],
  // No expressions.
  ["", false],
  ["MIT OR", false],
  ["OR MIT", false],
  ["MIT ISC", false],
  ["(MIT", false],
  ["MIT)", false],
  ["MIT WITH", false],
  ["WITH MIT", false],
  ["MIT AND", false],
  ["()", false],
  ["MIT or GPL-3.0-only", false],
  ["MIT/X11", false],
  ["Apache 2.0", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["UNLICENSED", false],
  ["constructor", false],
])("%j is permitted: %j", (expression, expected) => {
  expect(isPermitted(expression, permissiveLicences)).toBe(expected);
});

test("an exception can be permitted together with its licence only", () => {
  const permitted = new Set(["GPL-2.0-only WITH Classpath-exception-2.0"]);
  expect(isPermitted("GPL-2.0-only WITH Classpath-exception-2.0", permitted)).toBe(true);
  expect(isPermitted("GPL-2.0-only", permitted)).toBe(false);
});

test.each<[string, ThirdParty, string]>([
  ["an unknown licence", thirdParty(undefined), "has no licence in node_modules/pad/package.json"],
  [
    "another licence",
    thirdParty("GPL-3.0-only"),
    'has the licence "GPL-3.0-only", which is not permitted',
  ],
])("a package with %s is named", (_, each, problem) => {
  expect(() => refuseLicences([thirdParty("MIT"), each])).toThrow(`pad@1.0.0 ${problem}`);
});

test("all refused packages are named", () => {
  const other = { name: "@a/b", version: "2.0.0" };
  expect(() => refuseLicences([thirdParty(undefined), thirdParty("SSPL-1.0", other)])).toThrow(
    /^pad@1\.0\.0 has no .*\n@a\/b@2\.0\.0 has the licence "SSPL-1\.0", which is not permitted$/,
  );
});

test("a licence is permitted by its identifier, and a package by name and version", () => {
  const gpl = thirdParty("GPL-3.0-only");
  expect(() => refuseLicences([gpl], ["GPL-3.0-only"])).not.toThrow();
  expect(() => refuseLicences([gpl], ["pad@1.0.0"])).not.toThrow();
  expect(() => refuseLicences([thirdParty(undefined)], ["pad@1.0.0"])).not.toThrow();
  for (const other of ["GPL-3.0-or-later", "pad@1.0.1", "pad", "pad@*"]) {
    expect(() => refuseLicences([gpl], [other])).toThrow("is not permitted");
  }
});

test("a licence has a text: that of the package, or the standard one", () => {
  const notice = { ...text, kind: "notice" } as const;
  expect(() => refuseLicences([thirdParty("MIT", { texts: [notice] })])).not.toThrow();
  const mpl = thirdParty("MPL-2.0", { texts: [notice] });
  expect(() => refuseLicences([mpl], ["MPL-2.0"])).toThrow(
    'pad@1.0.0 has no text of its licence "MPL-2.0"',
  );
});

test("the standard texts are those of the licences", () => {
  expect(standardTextOf("(GPL-3.0-only OR BSD-3-Clause)")).toMatchObject({ id: "BSD-3-Clause" });
  expect(standardTextOf("GPL-3.0-only")).toBeUndefined();
  for (const [id, words] of [
    ["0BSD", "Permission to use, copy, modify, and/or distribute"],
    ["Apache-2.0", "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION"],
    ["ISC", "PERFORMANCE OF THIS SOFTWARE"],
    ["MIT", "Permission is hereby granted, free of charge"],
  ] as const) {
    expect(standardTextOf(id)?.text).toContain(words);
  }
  expect(
    [...permissiveLicences].filter((id) => (standardTextOf(id)?.text ?? "").length < 300),
  ).toEqual([]);
});
