import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ModuleKind, ScriptTarget, transpileModule } from "typescript";
import { temporaryFolder } from "../../../cli/temporary-folder";
import { buildWhenStale, root } from "../../../e2e/support/build";

beforeAll(buildWhenStale);

const problem = `new ids.Endpoint(stack, "edge", { endpointId: "Edge", network: "projects/p/global/networks/n", severity: "LOW" });`;

const program = (lines: string) => `import { App, TerraformStack } from "cdktf";
import { ids } from "@trivet/constructs";

interface OnlyForTheCompiler {
  readonly moves: "the lines below";
}

const app = new App();
const stack = new TerraformStack(app, "demo");
new ids.IdsProvider(stack, "ids");
${lines}
app.synth();
`;

/** A project as in the guide, with a program that was compiled with source maps. */
function project(source: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["cdktf", "constructs", "cdktf-cli"]) {
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  mkdirSync(join(folder, "node_modules", "@trivet"));
  symlinkSync(root, join(folder, "node_modules", "@trivet", "constructs"));
  const { outputText, sourceMapText = "" } = transpileModule(source, {
    fileName: join(folder, "main.ts"),
    compilerOptions: {
      module: ModuleKind.CommonJS,
      target: ScriptTarget.ES2022,
      sourceMap: true,
    },
  });
  writeFileSync(join(folder, "main.ts"), source);
  writeFileSync(join(folder, "main.js"), outputText);
  writeFileSync(join(folder, "main.js.map"), sourceMapText);
  const app = "node --enable-source-maps main.js";
  const settings = { language: "typescript", app, projectId: "p", sendCrashReports: "false" };
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify(settings));
  return folder;
}

function run(folder: string, args: readonly string[]) {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1", CI: "1", NO_COLOR: "1" };
  return spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
}

const refused = (folder: string) => [
  "ValidationError: ids.Endpoint at demo/edge: 1 problem",
  '  endpointId: must start with a lowercase letter (got "Edge") [INVALID_ARGUMENT]',
  `    at Object.<anonymous> (${join(folder, "main.ts")}:11:1)`,
];

describe("what Node.js prints", () => {
  test("for a refused construct is the problem, then the user's line, and nothing else", () => {
    const folder = project(program(problem));
    const { status, stdout, stderr } = run(folder, ["--enable-source-maps", "main.js"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    const rest = ["", `Node.js ${process.version}`, ""];
    expect(stderr.split("\n")).toEqual([...refused(folder), ...rest]);
  });

  test("for a problem across constructs also names the line of the construct", () => {
    const same = problem.replace("Edge", "edge");
    const folder = project(program(`${same}\n${same.replace('"edge"', '"second"')}`));
    const { status, stderr } = run(folder, ["--enable-source-maps", "main.js"]);
    expect(status).toBe(1);
    expect(stderr.split("\n").slice(0, 4)).toEqual([
      "Error: Validation failed with the following errors:",
      "  [demo] ids.Endpoint at demo/second: 1 problem",
      expect.stringContaining("  endpointId: must differ from that of demo/edge"),
      `    at Object.<anonymous> (${join(folder, "main.ts")}:12:1)`,
    ]);
    expect(stderr).not.toContain("node_modules");
    expect(stderr).toContain(`${join(folder, "main.ts")}:13:5`);
  });
});

test("cdktf shows the problem in a few lines", () => {
  const folder = project(program(problem));
  const cdktf = join("node_modules", "cdktf-cli", "bundle", "bin", "cdktf");
  const { status, stderr } = run(folder, [cdktf, "synth"]);
  expect(status).toBe(1);
  const said = stderr.slice(stderr.indexOf("Command output on stderr:")).trim().split("\n");
  expect(said.slice(2).map((line) => line.slice(4))).toEqual([
    ...refused(folder),
    "",
    `Node.js ${process.version}`,
  ]);
});
