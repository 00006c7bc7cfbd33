import { rmSync } from "node:fs";
import { join } from "node:path";
import { App, type TerraformStack, Testing } from "cdktf";
import * as fc from "fast-check";
import type { Preview } from "../../src/local/workspace/preview/preview";
import { LocalPlatform } from "../../src/local/workspace/local-platform";
import type { PlatformView } from "../../src/local/workspace/view/seen";
import { WorkspaceTemplateStack } from "../../stacks/workspace-template-stack";
import { declared } from "../core/workspace/template/property/construct-side";
import { validTemplate } from "../core/workspace/template/property/template";
import { attachedTemplate, template, templateText, writeTemplate } from "./support/template";
import { tools } from "./support/tool";
import { root } from "./support/build";
import { startCommand, succeeded, words } from "./support/command";
import type { Workspace } from "./support/workspace";

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1;

/** What a preview and a plan with the real provider must agree on. */
const common = ({ parameters, presets }: Preview | PlatformView) => ({
  parameters: [...parameters].sort(byName).map(({ name, type, value, mutable, ephemeral }) => ({
    // A plan has an empty value where the platform has none.
    name,
    type,
    value: value ?? "",
    mutable,
    ephemeral,
  })),
  presets: [...presets]
    .sort(byName)
    .map(({ name, isDefault, parameters: values }) => ({ name, isDefault, values })),
});

const hcl = ["container", "machine", "task"];

describe.each(tools)("a preview under %s", (tool) => {
  it.each(hcl)("shows what a plan of the template %s finds", async (name) => {
    const { workspace, platform } = template(tool);
    writeTemplate(workspace, name);
    const preview = await platform.preview();
    expect(preview.diagnostics).toEqual([]);
    expect(common(preview)).toEqual(common(await platform.importTemplate()));
  });

  it("shows what a plan of the demo stack finds", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    const app = new App({ outdir: join(work.folder, "cdktf.out") });
    new WorkspaceTemplateStack(app, "demo");
    app.synth();
    await expectSame(platformOf(join(work.folder, "cdktf.out", "stacks", "demo"), work, tool));
  });

  it("shows what a plan of a random template finds", async () => {
    const { workspace: work } = await attachedTemplate(tool);
    const made = fc.sample(validTemplate({ open: false }), { seed: 5, numRuns: 3 });
    for (const each of made) {
      const settings = { url: "https://platform.example.org" };
      const { stack, errors } = declared({ ...each, settings }, () => () => "");
      expect([...errors]).toEqual([]);
      await synthesized(stack, (folder) => expectSame(platformOf(folder, work, tool)));
    }
  });

  it("ends with the words of the platform where it would refuse an import and a build", async () => {
    const { workspace, platform } = template(tool);
    workspace.write(
      templateText(`data "workspace_parameter" "cores" {
  name    = "cores"
  type    = "number"
  default = 4
  mutable = true
  validation {
    min   = 2
    max   = 32
    error = "Choose {min} to {max} cores, not {value}"
  }
}
data "workspace_workspace_preset" "huge" {
  name       = "Huge"
  parameters = { cores = "64" }
  prebuilds {
    instances = 1
  }
}
`),
    );
    const said =
      "Invalid parameter value according to 'validation' block; Choose 2 to 32 cores, not";
    await expect(platform.importTemplate()).rejects.toMatchObject({
      code: "REFUSED",
      message: `preset "Huge": Parameter cores: ${said} 64 (as of coder 2.25, seen with 2.26)`,
    });
    workspace.write(
      templateText('data "workspace_parameter" "cores" {\n  name = "cores"\n  type = "number"\n}'),
    );
    const parameters = { cores: "many" };
    const failure: unknown = await platform
      .build({ transition: "start", parameters })
      .catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code: "REFUSED",
      message:
        'parameter "cores": Parameter value is not of type "number"; "many" is not a number (as of coder 2.24, seen with 2.26)',
    });
  });
});

test("the command finds the provider by itself", async () => {
  const { workspace: work } = template("terraform");
  work.write(templateText('data "workspace_parameter" "a" {\n  name    = "a"\n  default = "b"\n}'));
  const main = join(root, "dist", "src", "cli", "main.js");
  const args = [main, "local", "workspace", "start", work.folder, "--parameter", "a=c", "--quiet"];
  const env = { ...work.env, TF_CLI_CONFIG_FILE: "/dev/null" };
  const { stdout } = await succeeded(
    "trivet local workspace",
    startCommand(process.execPath, args, { cwd: work.folder, env }),
  );
  expect(stdout).toContain('a = "c" (string, optional)');
});

function platformOf(folder: string, { env, folder: base }: Workspace, tool: string): LocalPlatform {
  const settings = { template: folder, stateFolder: join(base, "..", "platform"), env };
  return new LocalPlatform({ ...settings, terraform: tool });
}

async function expectSame(platform: LocalPlatform): Promise<void> {
  const preview = await platform.preview();
  expect(preview.diagnostics.map(({ detail }) => words(detail))).toEqual([]);
  expect(common(preview)).toEqual(common(await platform.importTemplate()));
}

async function synthesized(
  stack: TerraformStack,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const out = Testing.fullSynth(stack);
  try {
    await use(join(out, "stacks", stack.node.id));
  } finally {
    rmSync(out, { recursive: true });
  }
}
