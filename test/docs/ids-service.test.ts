import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./page";

const text = readFileSync(join(root, "docs/design/ids-service.md"), "utf8");

/** The cells of each row of facts: the fact, and its tests. */
const rows = text
  .split("\n")
  .filter((line) => /^\| (?!Fact|-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, fact = "", tests = ""]) => ({ fact, tests }));

const claimsIn = (tests: string): readonly string[] =>
  [...tests.matchAll(/`([\w/-]+: [^`]+)`/g)].map(([, claim = ""]) => claim);

/** Whether a test or a group of tests has the name, written as a literal. */
function isTest(claim: string): boolean {
  const [, file = "", name = ""] = /^([\w/-]+): (.+)$/.exec(claim) ?? [];
  const path = join(root, "test", `${file}.test.ts`);
  return existsSync(path) && readFileSync(path, "utf8").includes(JSON.stringify(name));
}

test("every fact about the service names its test, or says why it has no test", () => {
  expect(rows.length).toBeGreaterThan(40);
  const bare = rows.filter(
    ({ tests }) => claimsIn(tests).length === 0 && !/^Not (?:tried|supported|used)/.test(tests),
  );
  expect(bare).toEqual([]);
});

test("every test that a fact names exists", () => {
  const claims = rows.flatMap(({ tests }) => claimsIn(tests));
  expect(claims.filter((claim) => !isTest(claim))).toEqual([]);
});
