// Under the tsconfig.json that cdktf init writes, TypeScript does not read the exports of packages.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseTrustedJson, propertiesOf } from "../../src/json/plain-json";
import { root } from "../e2e/support/build";
import { packedProject, type Packed, writeFiles } from "./packed-project";

const template = join(dirname(require.resolve("@cdktf/cli-core/package.json")), "templates");

/** Everything that a package exports, except its manifest. */
function entriesOf(folder: string): readonly string[] {
  const manifest = parseTrustedJson(readFileSync(join(root, folder, "package.json"), "utf8"));
  const { exports, name } = propertiesOf(manifest);
  const paths = Object.keys(propertiesOf(exports)).filter((path) => path !== "./package.json");
  return paths.map((path) => `${String(name)}${path.slice(1)}`);
}

it.each<[Packed, string]>([
  ["constructs", "."],
  ["provider-kit", "dist/packages/provider-kit"],
])("a project of cdktf init compiles imports of each entry of the package %s", (name, folder) => {
  const entries = entriesOf(folder);
  expect(entries.length).toBeGreaterThan(2);
  const libraries = ["cdktf", "cdktn", "constructs", "typescript", "@types/node"];
  const project = packedProject(libraries, name);
  cpSync(join(template, "typescript", "tsconfig.json"), join(project, "tsconfig.json"));
  const imports = entries.map((entry, index) => `import * as entry${index} from "${entry}";`);
  const names = entries.map((_, index) => `entry${index}`);
  const main = [...imports, `export const all: object[] = [${names.join(", ")}];`].join("\n");
  writeFiles(project, { "main.ts": main });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler], { cwd: project, stdio: "pipe" });
  const run = `console.log(require("./main.js").all.length)`;
  const printed = execFileSync(process.execPath, ["-e", run], { cwd: project }).toString();
  expect(Number(printed)).toBe(entries.length);
});
