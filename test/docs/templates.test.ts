import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pages, root } from "./page";

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
      file: join(root, "templates", "init", folder, `${name}.ts`),
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
