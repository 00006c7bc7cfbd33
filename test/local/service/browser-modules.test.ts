import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../e2e/support/build";

const folders = ["service", "signing", "workspace"].map((each) =>
  join(root, "src", "local", each, "page", "browser"),
);
const modules = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name)),
);

test("a browser finds what the modules of pages import: by names that end in .js", () => {
  expect(modules.length).toBeGreaterThan(10);
  const wrong = modules.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    // Types are not imported when the page runs.
    const imports = [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from "(\.[^"]*)";/gm)];
    return imports
      .map(([, path = ""]) => path)
      .filter((path) => {
        const source = join(dirname(file), path.replace(/\.js$/, ".ts"));
        return !path.endsWith(".js") || !existsSync(source);
      })
      .map((path) => `${file.slice(root.length + 1)}: ${path}`);
  });
  expect(wrong).toEqual([]);
});
