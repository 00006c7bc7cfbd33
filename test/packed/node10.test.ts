// Under the tsconfig.json that cdktf init writes, TypeScript does not read the exports of packages.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseTrustedJson, propertiesOf } from "../../src/core/json/plain-json";
import { allTests } from "../all-tests";
import { temporaryFolder } from "../cli/temporary-folder";
import { root } from "../e2e/support/build";
import { app, projectToInstall, ran, vendoredPackage } from "./existing-project";
import { packedProject, type Packed, writeFiles } from "./packed-project";

const template = join(dirname(require.resolve("@cdktf/cli-core/package.json")), "templates");

/** The template of each library's init command. The one of cdktn comes from the registry. */
const templates = {
  cdktf: () => template,
  cdktn: () => {
    const folder = temporaryFolder();
    execFileSync("npm", ["pack", "--silent", "cdktn-cli@0.24.0"], { cwd: folder });
    execFileSync("tar", ["-xzf", "cdktn-cli-0.24.0.tgz"], { cwd: folder });
    return join(folder, "package", "bundle", "templates");
  },
};

/** What the commands install with it, apart from a newer TypeScript. */
const templatePackages =
  "constructs@10.7.2 typescript@5.9.3 ts-node@10.9.2 jest@30.5.2 ts-jest@29.4.15 @types/jest@30.0.0 @types/node@22.20.5";

const templateTest = `
import { RootConstruct } from "constructs";
import { planMatchers, planOf } from "@trivet/constructs/testing";
import { WatchStack } from "../watch-stack";
expect.extend(planMatchers);
test("creates an endpoint", async () => {
  const plan = await planOf(new WatchStack(new RootConstruct(), "watch", "edge"));
  expect(plan).toCreate("ids_endpoint.edge");
  expect(plan).toMatchSnapshot();
});`;

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

for (const library of allTests ? (["cdktf", "cdktn"] as const) : []) {
  test(`a project of ${library} init runs and tests a stack with ts-node and ts-jest`, async () => {
    const own = library === "cdktn" ? "@trivet/constructs/cdktn" : "@trivet/constructs";
    const forLibrary = (text: string): string =>
      text
        .replaceAll('"cdktf"', `"${library}"`)
        .replaceAll('"@trivet/constructs', `"${own}`)
        .replaceAll('.ts"', '"');
    const project = projectToInstall({});
    cpSync(join(templates[library](), "typescript"), project, { recursive: true });
    const filled = (path: string): string =>
      readFileSync(join(project, path), "utf8").replaceAll(/\{\{[^}]*\}\}/g, "");
    writeFiles(project, {
      "package.json": filled("package.json").replace('"name": "",', '"name": "demo",'),
      "cdktf.json": filled("cdktf.json"),
      "main.ts": forLibrary(app["main.ts"]),
      "watch-stack.ts": forLibrary(app["watch-stack.ts"]),
      "__tests__/watch-test.ts": forLibrary(templateTest),
    });
    const version = library === "cdktn" ? "0.24.0" : "0.21.0";
    const packages = `${vendoredPackage} ${library}@${version} ${templatePackages}`;
    await ran(project, `npm install --no-audit --no-fund ${packages}`);
    const place = "ids_endpoint.edge at watch-stack.ts:10:5";
    expect(await ran(project, "npx --no-install trivet check")).toContain(place);
    expect(await ran(project, "npx --no-install jest")).toMatch(/Tests: .*1 passed/);
  });
}
