import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "..", "..");

test("changes that are explained are changes of the code as it is", () => {
  const page = readFileSync(join(root, "docs", "design", "mutation.md"), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const script = join(root, "scripts", "mutate.mjs");
  const list = execFileSync(process.execPath, [script, "--list", "--count", "100000"], {
    encoding: "utf8",
  });
  const changes = list.trim().split("\n");

  const isChange = (row: string): boolean =>
    changes.some((change) => row.replace(/ +\|/g, " |").startsWith(change));
  expect(rows).not.toHaveLength(0);
  expect(rows.filter((row) => !isChange(row))).toEqual([]);
});
