import { readFileSync } from "node:fs";
import {
  asSeen,
  platformRules,
  type PlatformRuleName,
  withVersion,
} from "../../../../src/core/workspace/product/platform-versions";

const names = Object.keys(platformRules) as readonly PlatformRuleName[];

/** The rows of the table of rules, without alignment. */
function listedRules(): readonly (readonly string[])[] {
  const page = readFileSync("docs/guide/coder.md", "utf8");
  const [, rows = ""] = /\n\| Rule [^\n]*\n\|[ -|]*\n((?:\|[^\n]*\n)+)/.exec(page) ?? [];
  return rows
    .trim()
    .split("\n")
    .map((row) => row.split("|").map((cell) => cell.trim()));
}

it("lists each rule in the guide, with the version that it was seen on", () => {
  const expected = names.map((name) => {
    const { rule, seen, ...rest } = platformRules[name];
    const since = "since" in rest ? rest.since : "";
    if ("sources" in seen) return ["", rule, since, "in its sources", ""];
    return "server" in seen
      ? ["", rule, since, `coder ${seen.server}`, ""]
      : ["", rule, since, `provider ${seen.provider}`, ""];
  });
  expect(listedRules()).toEqual(expected);
});

it("says where a rule was seen", () => {
  expect(asSeen("previews")).toBe("as of coder 2.24, seen with 2.26");
  expect(asSeen("nameLength")).toBe("seen with coder 2.26");
  expect(asSeen("appSlug")).toBe("seen with coder's provider 2.20");
  expect(asSeen("prebuiltPresets")).toBe("as of coder 2.31, read in its sources");
});

it("says so inside the parentheses of a value, and otherwise at the end", () => {
  const seen = "seen with coder 2.26";
  expect(withVersion("must be short (got 70)", "nameLength")).toBe(
    `must be short (got 70; ${seen})`,
  );
  expect(withVersion("use addOverride(path)", "nameLength")).toBe(
    `use addOverride(path) (${seen})`,
  );
});
