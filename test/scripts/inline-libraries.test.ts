import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../cli/temporary-folder";

const root = resolve(__dirname, "..", "..");
const script = join(root, "scripts", "build", "inline-libraries.mjs");

describe("inlining libraries", () => {
  const folder = temporaryFolder();
  const run = (expression: string): string =>
    execFileSync(process.execPath, ["-e", expression], { cwd: folder, encoding: "utf8" });
  const compiled = (module: string): string => join(folder, "dist", "src", `${module}.js`);

  beforeAll(() => {
    for (const name of ["src", "node_modules", "tsconfig.base.json"])
      symlinkSync(join(root, name), join(folder, name));
    run(
      `import(${JSON.stringify(script)}).then((it) => it.inlineLibraries(${JSON.stringify(folder)}))`,
    );
  });

  test.each([
    ["core/schema/zod", `it.string().safeParse("a").success`],
    ["core/regular-expression/re2", `it.RE2JS.compile("^a+$").test("aa")`],
    [
      "cli/provider-package/licences/standard-texts",
      `it.standardTexts.get("MIT").startsWith("MIT License")`,
    ],
  ])("%s works and loads nothing", (module, expression) => {
    const file = JSON.stringify(compiled(module));
    const printed = run(
      `const it = require(${file}); console.log(${expression}, Object.keys(require.cache).length)`,
    );
    expect(printed.trim()).toBe("true 1");
  });

  test.each(["markdown-library", "brand-icons"])("makes a module for browsers of %s", (name) => {
    const text = readFileSync(compiled(`local/workspace/page/browser/${name}`), "utf8");
    expect(text).toMatch(/\bexport\s*\{/);
    expect(text).not.toMatch(/\b(?:import|require)\s*[({"]|\binnerHTML\b/);
  });

  test("includes the licence of the inlined library", () => {
    expect(readFileSync(compiled("core/regular-expression/re2"), "utf8")).toMatch(
      /^\/\*!\nThis package contains code [^/]*\n- re2js@[\d.]+: MIT.*[^]*?\n\nMIT License\n[^]*?\n\*\/\n"use strict"/,
    );
  });
});
