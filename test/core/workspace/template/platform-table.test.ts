import { readFileSync } from "node:fs";
import {
  platformRequirements,
  type PlatformNeed,
} from "../../../../src/core/workspace/template/platform-requirements";

const page = readFileSync("docs/guide/template-checks.md", "utf8");

/** The rows of the page's table, without alignment. */
const rows = [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row = ""]) =>
  row.split("|").map((cell) => cell.trim()),
);

function needed(need: PlatformNeed): string {
  if ("version" in need) return `version ${need.version}`;
  if ("licence" in need) return `${need.licence} licence`;
  if ("isKnownLogin" in need) return "a login that administrators have set up";
  return "wildcardHost" in need ? "a wildcard host" : "a level that the site permits";
}

test("the page lists exactly the features that not every platform supports", () => {
  const [, , ...listed] = rows;
  expect(listed.map(([what]) => what)).toEqual(platformRequirements.map(({ feature }) => feature));
  for (const [index, { attribute, need, warning }] of platformRequirements.entries()) {
    const [, where, needs] = listed[index] ?? [];
    if (attribute !== undefined) expect(where).toContain(`\`${attribute}`);
    expect(needs).toMatch(RegExp(`^${needed(need)}${warning !== undefined ? "; .*warning" : "$"}`));
  }
});
