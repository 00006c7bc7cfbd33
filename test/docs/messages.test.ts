import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./page";

const folder = join(root, "docs", "reference", "messages");
const pages = readdirSync(folder).filter((name) => name !== "index.md");
const sections = pages.flatMap((name) =>
  readFileSync(join(folder, name), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((section) => [name, section] as const),
);

test("each message is listed once in its part, with its cause or its cure", () => {
  const headings = sections.map(([name, section]) => `${name} ${section.split("\n", 1)[0] ?? ""}`);
  expect(new Set(headings).size).toBe(headings.length);
  expect(headings.length).toBeGreaterThan(200);
  expect(headings).toEqual(
    expect.arrayContaining([
      "ids.md Endpoint Already Exists",
      "signing.md No Identity To Sign With",
      "workspace.md Missing Secret",
      "trivet.md No stack configures the provider ….",
    ]),
  );
  expect(sections.filter(([, section]) => !/^.+\n\n\S/.test(section))).toEqual([]);
});

test("a message names pages only where a project has them", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const paths = sources
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => readFileSync(join(root, "src", name), "utf8").split("\n"))
    .filter((line) => !/^\s*(?:\*|\/[/*])/.test(line))
    .flatMap(
      (line) => line.match(/[\w./@-]*\bdocs\/(?:guide|reference|design)\/[\w./-]+\.md/g) ?? [],
    );
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const [, page = "nothing"] = /^node_modules\/@trivet\/constructs\/(.*)$/.exec(path) ?? [];
    expect([path, existsSync(join(root, page))]).toEqual([path, true]);
  }
});
