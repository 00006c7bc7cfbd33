import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sample } from "../all-tests";
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
  // cdktn.test.ts checks the declarations of the packages.
  const checks = { strict: true, skipLibCheck: true };
  const compilerOptions = { target: "es2022", module: "node16", ...checks, outDir: "build" };
  writeFiles(folder, {
    "ids-demo-stack.ts": stack
      .replace('"cdktf"', '"cdktn"')
      .replace('"@trivet/constructs"', '"@trivet/constructs/cdktn"'),
    "main.ts": `
      import { App } from "cdktn";
      import { IdsDemoStack } from "./ids-demo-stack";
      const app = new App();
      new IdsDemoStack(app, "ids-demo", { serviceUrl: process.env["TRIVET_IDS_ENDPOINT"] });
      app.synth();`,
    "tsconfig.json": JSON.stringify({ compilerOptions }),
    "cdktf.json": JSON.stringify({
      language: "typescript",
      projectId: "demo",
      sendCrashReports: "false",
      app: "node build/main.js",
    }),
  });
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc"], { cwd: folder });
  return folder;
}

// A project with cdktn is deployed by init-cdktn.test.ts, and the cdktf command is tried by e2e/cdktf-deploy.
for (const tool of sample(tools, [])) {
  // cdktn-cli needs a newer Node.js than this package does. The folders that it reads are the same.
  it(`a project with cdktn is deployed and destroyed by the cdktf command, under ${tool}`, async () => {
    const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
    const folder = project();
    const cli = join(dirname(require.resolve("cdktf-cli/package.json")), "bundle", "bin", "cdktf");
    const run = (verb: string) =>
      succeeded(
        `cdktf ${verb}`,
        startCommand(
          process.execPath,
          [
            "node_modules/@trivet/constructs/dist/src/cli/main.js",
            "exec",
            "--dir",
            installation().mirror,
            "--",
            process.execPath,
            cli,
            verb,
            "ids-demo",
            "--auto-approve",
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
      "DELETE edge",
      "DELETE office",
      "POST edge",
      "POST office",
    ]);
  });
}

/** As on the page "Moving from cdktf". */
const calls = (library: string): string => `
  const { App, TerraformOutput, TerraformStack } = require("${library}");
  const { ids, signing, workspace } = require("@trivet/constructs${library === "cdktn" ? "/cdktn" : ""}");
  const context = { targetVersions: { terraform: ">=1.10" } };
  const app = new App({ outdir: process.argv[1], context });
  const stack = new TerraformStack(app, "demo");
  new ids.IdsProvider(stack, "ids", { project: "p", zone: "us-central1-a", accessToken: "t" });
  new signing.SigningProvider(stack, "signing");
  new workspace.WorkspaceProvider(stack, "workspace");
  const name = ids.endpointName({ project: "my-project", location: "us-central1-f", endpointId: "edge" });
  new TerraformOutput(stack, "name", { value: name });
  new TerraformOutput(stack, "location", { value: ids.parseEndpointName({ name }).location });
  const { repository } = signing.parseReference({ reference: "alpine:3.20" });
  new TerraformOutput(stack, "repository", { value: repository });
  new workspace.EphemeralSecret(stack, "secret", {
    env: "API_TOKEN",
    helpMessage: "Store the token of the API in your account.",
  });
  app.synth();`;

it.each(["cdktf", "cdktn"])(
  "uses functions and ephemeral resources of our providers with %s",
  async (library) => {
    const { workspace } = await scenario("terraform");
    const out = join(workspace.folder, "cdktf.out");
    const folder = packedProject([library, "constructs"]);
    execFileSync(process.execPath, ["-e", calls(library), out], { cwd: folder });
    workspace.directory = join(out, "stacks", "demo");
    await workspace.init();
    const { code, output } = await workspace.attempt(["plan"]);
    expect({ code, output }).toMatchObject({ code: 0 });
    const shown = output.replaceAll(/ +/g, " ");
    expect(shown).toContain('name = "projects/my-project/locations/us-central1-f/endpoints/edge"');
    expect(shown).toContain('location = "us-central1-f"');
    expect(shown).toContain('repository = "index.docker.io/library/alpine"');
    expect(output).toContain("ephemeral.workspace_secret.secret: Opening complete");
  },
);
