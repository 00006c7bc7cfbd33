import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { LocalIdsSettings } from "../../../src/local/ids/local-ids";
import { fencesOf } from "../../docs/page";
import { root } from "./build";
import { scenario } from "./scenario";
import type { Service } from "./service";
import { StackProject } from "./stack-project";

export const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The files that a page shows whole, by the names in its fences (`ts stack file=watch-stack`). */
export function filesOf(path: string): Readonly<Record<string, string>> {
  const named = fencesOf(read(path)).flatMap(({ keywords, text }) =>
    keywords.flatMap((each) =>
      each.startsWith("file=") ? [[`${each.slice(5)}.ts`, text] as const] : [],
    ),
  );
  return Object.fromEntries(named);
}

/** The stacks that a page shows without a name. */
export const stacksOf = (path: string): readonly string[] =>
  fencesOf(read(path)).flatMap(({ keywords, text }) => (keywords.join() === "stack" ? [text] : []));

/** The TypeScript of a kind of `trivet init`, without its tests. */
export function filesOfKind(kind: string): Readonly<Record<string, string>> {
  const folder = join("templates", "init", kind);
  const names = readdirSync(join(root, folder)).filter((name) => /(?<!\.test)\.ts$/.test(name));
  return Object.fromEntries(names.map((name) => [name, read(join(folder, name))]));
}

/** A TypeScript project as a page describes it, whose packages are those of this checkout, and a service. */
export async function guideProject(
  files: Readonly<Record<string, string>>,
  settings: LocalIdsSettings = { pollsUntilDone: 0 },
): Promise<{ readonly made: StackProject; readonly service: Service }> {
  const { service, workspace } = await scenario("terraform", { service: settings });
  const made = new StackProject(service, workspace);
  const packages = join(made.folder, "node_modules");
  unlinkSync(packages);
  for (const scope of ["@types", "@trivet"]) mkdirSync(join(packages, scope), { recursive: true });
  for (const name of ["cdktf", "constructs", "esbuild", "typescript", "@types/node"]) {
    symlinkSync(join(root, "node_modules", name), join(packages, name));
  }
  symlinkSync(root, join(packages, "@trivet", "constructs"));
  symlinkSync(
    join(root, "dist", "packages", "provider-kit"),
    join(packages, "@trivet", "provider-kit"),
  );
  // The snippets and templates are type-checked by other tests; this takes a tenth of the compiler's time.
  const compile = "node_modules/esbuild/bin/esbuild *.ts --outdir=build --format=cjs";
  made.configure({
    app: `${compile} --platform=node --sourcemap --log-level=error && node build/main.js`,
  });
  writeFiles(made, files);
  return { made, service };
}

export function writeFiles(
  { folder }: StackProject,
  files: Readonly<Record<string, string>>,
): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** An app with stacks of these classes. */
export const app = (...stacks: readonly (readonly [name: string, file: string, id: string])[]) =>
  [
    `import { App } from "cdktf";`,
    ...stacks.map(([name, file]) => `import { ${name} } from "./${file}";`),
    "const app = new App();",
    ...stacks.map(([name, , id]) => `new ${name}(app, "${id}");`),
    "app.synth();\n",
  ].join("\n");
