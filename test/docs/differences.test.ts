import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nouns } from "../core/workspace/tables";
import { root } from "./page";

const text = readFileSync(join(root, "docs/design/workspace-differences.md"), "utf8");

/** Points of the page, each in one line, and the lines of its table. */
const points = text
  .replaceAll(/\n +/g, " ")
  .split("\n")
  .filter((line) => line.startsWith("- **"));
const cells = text.split("\n").filter((line) => /^\| [^-]/.test(line) && line.includes("`"));

const claims = [...points, ...cells].flatMap((line) => {
  const [, tests = ""] = line.split(line.startsWith("|") ? /\|(?=[^|]*\|$)/ : /Tested by /);
  return [...tests.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
});

const value = (it: unknown): string => (it === undefined ? "nothing" : JSON.stringify(it));

const rows = new Set(
  nouns.flatMap(({ construct, rows: own, builds, changes }) =>
    [
      ...[...own, ...builds].map(({ name }) => name),
      ...changes.map(({ input, from, to }) => `${input} from ${value(from)} to ${value(to)}`),
    ].map((name) => `${construct.replace("workspace.", "")}: ${name}`),
  ),
);

/** Whether a test of the slice has the name, written as a literal: `provider/url: must be …`. */
function isTest(claim: string): boolean {
  const [, file = "", name = ""] = /^([\w/-]+): (.+)$/.exec(claim) ?? [];
  const [, local] = /^local\/(.+)$/.exec(file) ?? [];
  const folder = local === undefined ? "test/core/workspace" : "test/local/workspace";
  const path = join(root, folder, `${local ?? file}.test.ts`);
  return existsSync(path) && readFileSync(path, "utf8").includes(JSON.stringify(name));
}

test("every difference names its test", () => {
  expect(points.length).toBeGreaterThan(40);
  expect(points.filter((line) => !/Tested by `[^`]+`/.test(line))).toEqual([]);
});

test("the test of a difference is a row of a table, or a test", () => {
  expect(claims.length).toBeGreaterThan(points.length);
  expect(claims.filter((claim) => !rows.has(claim) && !isTest(claim))).toEqual([]);
});
