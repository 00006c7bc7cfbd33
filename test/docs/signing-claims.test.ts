import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nouns } from "../core/signing/tables";
import { root } from "./page";

const rows = new Set(
  nouns.flatMap(({ construct, rows: own }) =>
    own.map(({ name }) => `${construct.replace("signing.", "")}: ${name}`),
  ),
);

/** Whether a test of the slice has the name, written as a literal: `verify/verify: about …`. */
function isTest(claim: string): boolean {
  const [, file = "", name = ""] = /^([\w/-]+): (.+)$/.exec(claim) ?? [];
  const [, local] = /^local\/(.+)$/.exec(file) ?? [];
  const folder = local === undefined ? "test/core/signing" : "test/local/signing";
  const path = join(root, folder, `${local ?? file}.test.ts`);
  return existsSync(path) && readFileSync(path, "utf8").includes(JSON.stringify(name));
}

describe.each(["signing-threat-model", "signing-differences"])("%s", (page) => {
  const lines = readFileSync(join(root, "docs/design", `${page}.md`), "utf8")
    .replaceAll(/\n(?: {2})?(?=[^\n\-#|])/g, " ")
    .split("\n");
  const tested = lines.filter((line) => line.includes("Tested by `"));
  const claims = tested.flatMap((line) =>
    line
      .split("Tested by ")
      .slice(1)
      .flatMap((part) => [...part.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)),
  );

  test("every point names its test", () => {
    expect(tested.length).toBeGreaterThan(20);
    const bare = lines.filter((line) => line.startsWith("- **") && !line.includes("Tested by `"));
    expect(bare.filter((line) => !isExplained(line))).toEqual([]);
  });

  test("the test of a point is a row of a table, or a test", () => {
    expect(claims.filter((claim) => !rows.has(claim) && !isTest(claim))).toEqual([]);
  });
});

/** Points about what must be kept, and advice, have no test. */
const isExplained = (line: string): boolean =>
  /^- \*\*(The answer|Our name|What others wrote|Secrets|The run|Given in a stack)\*\*/.test(line);
