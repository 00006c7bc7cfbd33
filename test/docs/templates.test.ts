import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ids, signing, workspace } from "../../src";
import { pages, root } from "./page";

const templates = join(root, "templates", "init");

/** The pages that explain the projects of `trivet init`, with the folder of the project's own files. */
const explained = {
  "docs/guide/first-stack.md": "ids",
  "docs/guide/first-template.md": "template",
  "docs/guide/signing.md": "signing",
};

describe.each(Object.entries(explained))("%s", (path, folder) => {
  const snippets = pages()
    .filter((page) => page.path === path)
    .flatMap((page) => page.snippets)
    .map(({ name, code }) => ({
      file: join(templates, folder, `${name}.ts`),
      code,
    }))
    .filter(({ file }) => existsSync(file));

  it("shows files of the project", () => {
    expect(snippets.length).toBeGreaterThan(1);
  });

  it.each(snippets)("shows $file as it is", ({ file, code }) => {
    expect(code).toBe(readFileSync(file, "utf8"));
  });
});

/** What `--ci` and `--backend` add has no scripts. */
const kinds = readdirSync(templates).filter((folder) => !/^(?:ci|state)-/.test(folder));

describe.each(kinds)("the README.md of %s", (folder) => {
  const others = folder === "all" ? ["project", "ids", "template", "signing"] : ["project"];
  const scripts = Object.assign({}, ...[...others, folder].map(scriptsIn)) as object;
  const text = readFileSync(join(templates, folder, "README.md"), "utf8");
  const named = [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = ""]) => name);

  it("names scripts of the project", () => {
    expect(named).not.toEqual([]);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("the AGENTS.md of a project", () => {
  const text = readFileSync(join(templates, "project", "AGENTS.md"), "utf8");
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

  it("names scripts that each project has", () => {
    const scripts = Object.keys(scriptsIn("project"));
    expect(named(/`npm (?:run )?([\w:]+)`/g).filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it("names classes, codes and pages that exist", () => {
    const slices: Readonly<Record<string, object>> = { ids, signing, workspace };
    for (const [slice = "", name = ""] of named(/`((?:ids|signing|workspace)\.\w+)`/g).map((each) =>
      each.split("."),
    )) {
      expect(Object.keys(slices[slice] ?? {})).toContain(name);
    }
    for (const code of named(/`\[([A-Z_]+)\]`/g)) {
      expect(existsSync(join(root, "docs/reference/codes", `${code}.md`))).toBe(true);
    }
    const [, list = ""] = text.split("constructs/docs`:");
    const paths = [...list.matchAll(/`([a-zA-Z./]+)`/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(4);
    expect(paths.filter((path) => !existsSync(join(root, "docs", path)))).toEqual([]);
  });
});

test("the README.md of a new provider names scripts and files of the project", () => {
  const provider = join(root, "templates", "provider");
  const read = (name: string) => readFileSync(join(provider, "project", name), "utf8");
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const text = read("README.md");
  const named = [...text.matchAll(/\bnpm run (\w+)/g)].map(([, name = ""]) => name);
  expect(new Set([...named, "test"])).toEqual(
    new Set(Object.keys(scripts).filter((name) => name !== "bundle")),
  );
  const files = [...text.matchAll(/`((?:src|test|examples)\/[^`]+)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(files).not.toEqual([]);
  expect(files.filter((path) => !existsSync(join(provider, "code", path)))).toEqual([]);
  const pages = [...text.matchAll(/`node_modules\/@trivet\/[a-z-]+\/(docs[^`]+)`/g)];
  expect(pages).not.toEqual([]);
  expect(pages.filter(([, page = ""]) => !existsSync(join(root, page)))).toEqual([]);
});

function scriptsIn(folder: string): Record<string, string> {
  const json = (name: string): unknown =>
    JSON.parse(readFileSync(join(templates, folder, name), "utf8"));
  if (folder === "project")
    return (json("package.json") as { scripts: Record<string, string> }).scripts;
  if (!existsSync(join(templates, folder, "scripts.json"))) return {};
  return json("scripts.json") as Record<string, string>;
}
