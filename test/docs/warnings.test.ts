import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import "../../src";
import { knownWarnings } from "../../src/schema";

const root = join(__dirname, "..", "..");
const page = readFileSync(join(root, "docs", "reference", "warnings.md"), "utf8");

test("the page lists the code of each warning once", () => {
  const listed = [...page.matchAll(/^\| `([\w-]+)` \| \S/gm)].map(([, code]) => code);
  expect(listed).toEqual([...knownWarnings().keys()].sort());
  expect(listed.length).toBeGreaterThan(40);
});

test("a warning of ours has a code: only its definition makes one", () => {
  const files = ["ids", "workspace", "signing", "construct"].flatMap((part) =>
    readdirSync(join(root, "src", part), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/(?:^|\/)local\//.test(name))
      .map((name) => join("src", part, name)),
  );
  const without = files.filter((file) =>
    /severity: "warning"(?!,\n? *warning: )/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(without).toEqual([]);
});
