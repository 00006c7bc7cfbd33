import { transformSync } from "esbuild";
import type { Page, Snippet } from "./page";
import { moduleOf } from "./source";

/** Runs a snippet as a module. `./name` imports the snippet of that name on the same page. */
export function load(page: Page, snippet: Snippet): Record<string, unknown> {
  const { code } = transformSync(moduleOf(snippet), { loader: "ts", format: "cjs" });
  const module: { exports: Record<string, unknown> } = { exports: {} };
  const requireFrom = (name: string): unknown => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the name is the snippet's
    if (!name.startsWith("./")) return require(name);
    const other = page.snippets.find((each) => `./${each.name}` === name);
    if (other === undefined) throw new Error(`${page.path} has no snippet ${name}`);
    return load(page, other);
  };
  // The code is that of this package's own pages.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function("require", "module", "exports", code) as (
    require: (name: string) => unknown,
    module: unknown,
    exports: unknown,
  ) => void;
  run(requireFrom, module, module.exports);
  return module.exports;
}
