import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../e2e/support/build";
import { startCommand, succeeded } from "../e2e/support/command";
import { installation } from "../e2e/support/installation";
import { scenario } from "../e2e/support/scenario";
import { tools } from "../e2e/support/tool";
import { packedProject, writeFiles } from "./packed-project";

/** The demo stack on cdktn, in a project without cdktf. */
function project(): string {
  const folder = packedProject(["cdktn", "constructs", "typescript", "@types/node"]);
  const stack = readFileSync(join(root, "stacks", "ids-demo-stack.ts"), "utf8");
  const compilerOptions = { target: "es2022", module: "node16", strict: true, outDir: "build" };
  writeFiles(folder, {
    "ids-demo-stack.ts": stack.replace('"cdktf"', '"cdktn"').replace('"trivet"', '"trivet/cdktn"'),
    "main.ts": `
      import { App } from "cdktn";
      import { IdsDemoStack } from "./ids-demo-stack";
      const app = new App();
      new IdsDemoStack(app, "ids-demo", { serviceUrl: process.env["TRIVET_IDS_ENDPOINT"] });
      app.synth();`,
    "tsconfig.json": JSON.stringify({ compilerOptions }),
    "cdktf.json": JSON.stringify({
      ...{ language: "typescript", projectId: "demo", sendCrashReports: "false" },
      app: "node node_modules/typescript/bin/tsc && node build/main.js",
    }),
  });
  return folder;
}

describe.each(tools)("a project with cdktn under %s", (tool) => {
  // cdktn-cli needs a newer Node.js than this package does. The folders that it reads are the same.
  it("is deployed and destroyed by the cdktf command", async () => {
    const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
    const folder = project();
    const cli = join(dirname(require.resolve("cdktf-cli/package.json")), "bundle", "bin", "cdktf");
    const run = (verb: string) =>
      succeeded(
        `cdktf ${verb}`,
        startCommand(
          process.execPath,
          [
            ...["node_modules/trivet/dist/src/cli/main.js", "exec"],
            ...["--dir", installation().mirror, "--"],
            ...[process.execPath, cli, verb, "ids-demo", "--auto-approve"],
          ],
          {
            cwd: folder,
            env: {
              ...workspace.env,
              TF_CLI_CONFIG_FILE: undefined,
              TERRAFORM_BINARY_NAME: tool,
              TRIVET_IDS_ENDPOINT: service.url,
              CI: "1",
            },
          },
        ),
      );
    expect((await run("deploy")).output).toContain("2 added, 0 changed, 0 destroyed");
    await run("destroy");
    expect([...service.changes].sort()).toEqual([
      ...["DELETE edge", "DELETE office", "POST edge", "POST office"],
    ]);
  });
});
