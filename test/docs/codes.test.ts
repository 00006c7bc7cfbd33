import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import "../../src";
import { errorMeanings, knownWarnings } from "../../src/core/schema";
import { pages, type Page } from "./page";
import { warningsOf } from "./synthesize";

const root = join(__dirname, "..", "..");
const folder = "docs/reference/codes";
const codes = [...Object.keys(errorMeanings), ...knownWarnings().keys()].sort();
const all = pages().filter(({ path }) => path.startsWith(`${folder}/`));

const textOf = ({ path }: Page): string => readFileSync(join(root, path), "utf8");

beforeAll(() => {
  process.chdir(join(__dirname, "files"));
});

afterAll(() => {
  process.chdir(root);
});

test("each code has a page, and the list links each once", () => {
  const expected = [...codes, "index"].map((code) => `${folder}/${code}.md`);
  expect(all.map(({ path }) => path).sort()).toEqual(expected.sort());
  const list = readFileSync(join(root, folder, "index.md"), "utf8");
  const listed = [...list.matchAll(/^\| \[`([\w-]+)`\]\(\1\.md\) \| \S/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual(codes);
  expect(codes.length).toBeGreaterThan(50);
});

describe.each(codes)("the page of %s", (code) => {
  const page = all.find(({ path }) => path === `${folder}/${code}.md`);
  if (page === undefined) return;
  const [wrong, right, ...others] = page.snippets;

  it("says why, and has a wrong and a right example", () => {
    expect(textOf(page)).toMatch(
      /^## Why\n\n\S[^]{20,}?\n\n## Wrong\n\n```ts [^]*\n\n## Right\n\n```ts/m,
    );
    expect([wrong?.kind, right?.kind, others]).toEqual([
      Object.hasOwn(errorMeanings, code) ? "refused" : "warned",
      "body",
      [],
    ]);
  });

  // That the wrong example really gives this text is tested with all snippets.
  it("shows a message with this code, and with no other one but a code of its kind", () => {
    const shown = [...(wrong?.expectedText ?? "").matchAll(/ \[([\w-]+)\]$/gm)].map(
      ([, each]) => each,
    );
    expect(shown).toContain(code);
    for (const each of shown) {
      expect(each).toMatch(
        code.startsWith("deprecated-") ? /^deprecated-/ : new RegExp(`^${code}$`),
      );
    }
  });

  it("has a right example without warnings", () => {
    expect(right && warningsOf(page, right)).toEqual([]);
  });
});

test("a warning of ours has a code: only its definition makes one", () => {
  const files = ["ids", "workspace", "signing", "construct"].flatMap((part) =>
    readdirSync(join(root, "src/core", part), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join("src/core", part, name)),
  );
  const without = files.filter((file) =>
    /severity: "warning"(?!,\n? *warning: )/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(without).toEqual([]);
});
