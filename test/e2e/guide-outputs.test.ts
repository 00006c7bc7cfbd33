import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { commandsBefore, expectShown, shown } from "../docs/output";
import { startCommand, whileRunning } from "./support/command";
import {
  app,
  filesOf,
  filesOfKind,
  guideProject,
  stacksOf,
  writeFiles,
} from "./support/guide-project";
import { isPoll, slowService } from "./support/slow-service";

describe("the page on deploying", () => {
  /** An app with endpoints in the stack `watch`. */
  const stacks = (
    ...endpoints: readonly string[]
  ): string => `import { App, TerraformOutput, TerraformStack } from "cdktf";
import { ids } from "@trivet/constructs";

const app = new App();
const [watch, logs] = ["watch", "app-logs"].map((id) => {
  const stack = new TerraformStack(app, id);
  const cloudIdsCustomEndpoint = process.env.TRIVET_IDS_ENDPOINT;
  const settings = { project: "my-project", zone: "us-central1-a", pollInterval: "10ms" };
  new ids.IdsProvider(stack, "ids", { ...settings, cloudIdsCustomEndpoint });
  return stack;
});
const props = (endpointId: string) => ({
  endpointId,
  network: "projects/my-project/global/networks/" + endpointId,
  severity: "HIGH",
});
new ids.Endpoint(logs, "audit", props("audit"));
${endpoints.join("\n")}
new TerraformOutput(watch, "address", { value: edge.endpointIp });
app.synth();
`;
  const edge = (severity: string): string =>
    `const edge = new ids.Endpoint(watch, "edge", { ...props("edge"), severity: "${severity}" });`;
  const old = `new ids.Endpoint(watch, "old", props("old"));`;
  // One after the other, so that the order of the output is always the same.
  const office = (more = ""): string =>
    `new ids.Endpoint(watch, "office", { ...props("office"), ${more}dependsOn: [edge] });`;

  test("shows what plans, deployments and comments are", async () => {
    const { settings, hurry } = slowService();
    const before = stacks(edge("LOW"), old);
    const { made, service } = await guideProject({ "main.ts": before }, settings);
    const first = made.start("deploy", ["watch", "app-*", "--auto-approve"]);
    await whileRunning(
      first,
      service.arrival((request) => isPoll(request) && service.changes.includes("POST audit")),
    );
    const { output: locked } = await made.run("deploy", "app-logs", "--auto-approve");
    hurry();
    expectShown(locked, shown("docs/guide/deploying.md", "locked"));
    const { stdout } = await first.ended;
    // The stacks are deployed side by side, so the order is not always the same.
    for (const line of shown("docs/guide/deploying.md", "stacks").split("\n")) {
      expectShown(stdout, line.replace("...", "…"));
    }

    writeFiles(made, { "main.ts": stacks(edge("HIGH"), old, office()) });
    const { output } = await made.onTerminal("deploy", ["watch"], "yes\n");
    expectShown(stripVTControlCharacters(output), shown("docs/guide/deploying.md", "deploy"));

    const moved = `location: "europe-west4-a", `;
    writeFiles(made, { "main.ts": stacks(edge("LOW"), office(moved)) });
    const comment = await made.run("plan", "*", "--markdown");
    expectShown(comment.stdout, shown("docs/guide/deploying.md", "comment"));
  });
});

test("the page on own resources shows what a deployment prints", async () => {
  const { made } = await guideProject(filesOf("docs/guide/own-resources.md"));
  const { output } = await made.onTerminal("deploy", [], "yes\n");
  expectShown(stripVTControlCharacters(output), shown("docs/guide/own-resources.md", "deploy"));
  const stack = join(made.folder, "cdktf.out", "stacks", "shopping");
  const options = { cwd: stack, env: { ...made.env, TF_CLI_ARGS: "-no-color" } };
  const alone = await startCommand("terraform", ["plan"], options).ended;
  expectShown(alone.output, shown("docs/guide/own-resources.md", "alone"));
});

test("the page on a first template shows what synthesis, form, import and builds print", async () => {
  const page = "docs/guide/first-template.md";
  const files = filesOfKind("template");
  const { made } = await guideProject(files);
  const unused = /^ +(?:boot|token): main.*\n/gm;
  writeFiles(made, { "dev-stack.ts": files["dev-stack.ts"]?.replaceAll(unused, "") ?? "" });
  expectShown((await made.run("synth")).output, shown("docs/guide/first-template.md", "dropped"));
  writeFiles(made, files);
  expect(await made.run("synth")).toMatchObject({ code: 0 });
  const outputs = {
    preview: shown("docs/guide/first-template.md", "preview"),
    import: shown("docs/guide/first-template.md", "import"),
    refused: shown("docs/guide/first-template.md", "refused"),
    builds: shown("docs/guide/first-template.md", "builds"),
    prebuild: shown("docs/guide/first-template.md", "prebuild"),
  };
  for (const [name, text] of Object.entries(outputs)) {
    let output = "";
    for (const line of commandsBefore(page, name)) {
      const [command = "", ...args] = line.replace(/^npx trivet /, "").split(" ");
      const ended = await made.run(command, ...args);
      const [first = ""] = ended.output.split("\n");
      output += name === "builds" || name === "prebuild" ? `${first}\n` : ended.output;
    }
    expectShown(output, text);
  }
});

test("the page on checking shows what changed stacks print", async () => {
  const files = filesOfKind("ids");
  const { "watch-stack.ts": stack = "" } = files;
  const { made } = await guideProject({
    ...files,
    "main.ts": app(["WatchStack", "watch-stack", "watch"]),
  });
  expect(await made.run("synth")).toMatchObject({ code: 0 });
  const before = join(made.folder, "before");
  renameSync(join(made.folder, "cdktf.out"), before);
  const check = async (watchStack: string, ...args: readonly string[]): Promise<string> => {
    writeFiles(made, { "watch-stack.ts": watchStack });
    const { output } = await made.run("check", ...args);
    return output;
  };

  const replaced = stack
    .replace(`Id: "edge"`, `Id: "edge2"`)
    .replace("Severity.HIGH", "Severity.LOW");
  const against = ["--against", before];
  expectShown(await check(replaced, ...against), shown("docs/guide/checking-stacks.md", "against"));

  const team = `import { Construct } from "constructs";
import { ids } from "@trivet/constructs";

/** The endpoint of a team. */
export class Team extends Construct {
  constructor(
    scope: Construct,
    id: string,
    network = "projects/my-project/global/networks/team",
  ) {
    super(scope, id);
    new ids.Endpoint(this, "edge", { endpointId: "team", network, severity: "HIGH" });
  }
}
`;
  writeFiles(made, { "team.ts": team });
  const renamed = stack
    .replace(`(this, "edge"`, `(this, "border"`)
    .replace(/^/, `import { Team } from "./team";\n`)
    .replace("    new TerraformOutput", `    new Team(this, "team");\n\n    new TerraformOutput`);
  const output = await check(renamed, ...against);
  expectShown(output, shown("docs/guide/checking-stacks.md", "nested"));
  expectShown(output, shown("docs/guide/checking-stacks.md", "moved"));

  const [acknowledging = ""] = stacksOf("docs/guide/checking-stacks.md");
  const accepted = await check(acknowledging);
  expectShown(accepted, shown("docs/guide/checking-stacks.md", "acknowledged"));
  const warning = acknowledging
    .replace(/^ +acknowledge\(.*\n/m, "")
    .replace(/"projects.*"/, `new TerraformVariable(this, "network", {}).stringValue`)
    .replace("TerraformStack }", "TerraformStack, TerraformVariable }");
  const warned = await check(warning);
  expectShown(warned, shown("docs/guide/checking-stacks.md", "warning"));
  expectShown(warned, shown("docs/guide/checking-stacks.md", "unknown"));
});

test("the page on templates in HCL shows what the form and a start print", async () => {
  const { made } = await guideProject({ "main.ts": "" });
  mkdirSync(join(made.folder, "template"));
  writeFileSync(join(made.folder, "template", "main.tf"), templateInHcl);
  const preview = await made.run("local", "workspace", "preview", "./template");
  expectShown(preview.output, shown("docs/guide/templates-in-hcl.md", "problems"));
  const unknown = ["--parameter", "regoin=us"];
  const start = await made.run("local", "workspace", "preview", "./template", ...unknown);
  expectShown(start.output, shown("docs/guide/templates-in-hcl.md", "unknown"));
});

/** With a mistake in an expression, and a module that is not there. */
const templateInHcl = `terraform {
  required_providers {
    coder = {
      source = "coder/coder"
    }
  }
}

data "coder_parameter" "region" {
  name    = "region"
  default = "eu"
}

data "coder_parameter" "a" {
  name    = "cores"
  default = "x"
}

data "coder_parameter" "b" {
  name    = "disk"
  type    = "string"
  default = jsondecode(data.coder_parameter.a.value)
}

resource "coder_agent" "main" {
  os   = "linux"
  arch = "amd64"
}
module "code" {
  source = "./missing"
}
`;
