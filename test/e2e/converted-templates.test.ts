import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "cdktf";
import { readConfiguration } from "../../src/cli/convert/configuration";
import { converted } from "../../src/cli/convert/conversion";
import { stackClass } from "../cli/convert/converted-stack";
import { attachedTemplate } from "./support/template";
import { tools } from "./support/tool";
import type { Workspace } from "./support/workspace";

/** Templates in HCL, with our types. */
const templates = {
  ...Object.fromEntries(
    ["container", "machine", "task"].map((name) => [
      name,
      readFileSync(join(__dirname, "workspace-templates", `${name}.tf`), "utf8"),
    ]),
  ),
  everything: readFileSync(
    join(__dirname, "..", "cli", "convert", "fixtures", "template", "main.tf"),
    "utf8",
  )
    .replaceAll("coder/coder", "trivet.local/trivet/workspace")
    .replaceAll(/\bcoder(?= = \{)/g, "workspace")
    .replaceAll("coder_", "workspace_")
    .replaceAll("vscode", "editor"),
};

const owner = {
  TRIVET_WORKSPACE_OWNER: "ada",
  TRIVET_WORKSPACE_OWNER_NAME: "Ada",
  TRIVET_WORKSPACE_OWNER_EMAIL: "ada@example.com",
  TRIVET_WORKSPACE_TRANSITION: "start",
};

interface Plan {
  readonly planned_values: unknown;
  readonly resource_changes: readonly {
    readonly address: string;
    readonly change: Readonly<Record<string, unknown>>;
  }[];
  readonly output_changes: unknown;
  readonly prior_state: unknown;
}

/** What Terraform plans for a folder. */
async function planOf(workspace: Workspace, folder: string): Promise<unknown> {
  workspace.directory = folder;
  await workspace.init();
  await workspace.run("plan", "-out=plan");
  const { stdout } = await workspace.run("show", "-json", "plan");
  const { planned_values, resource_changes, output_changes, prior_state } = JSON.parse(
    stdout,
  ) as Plan;
  const byAddress = [...resource_changes].sort((one, other) =>
    one.address < other.address ? -1 : 1,
  );
  return { planned_values, changes: byAddress, output_changes, prior_state };
}

describe.each(tools)("a converted template under %s", (tool) => {
  it.each(Object.entries(templates))("is planned as %s", async (_name, text) => {
    const attached = await attachedTemplate(tool);
    attached.become(owner);
    const { workspace } = attached;
    workspace.write(text);
    const configuration = await readConfiguration(workspace.folder);
    const { stack, files, kept } = converted(configuration, true);
    expect(kept.filter(({ reason }) => reason !== undefined)).toEqual([]);
    const outdir = join(workspace.folder, "..", "cdktf.out");
    const app = new App({ outdir });
    new (stackClass(stack))(app, "main");
    app.synth();
    const folder = join(outdir, "stacks", "main");
    for (const [file, rest] of files) {
      if (rest !== undefined) writeFileSync(join(folder, file), rest);
    }
    expect(await planOf(workspace, folder)).toEqual(await planOf(workspace, workspace.folder));
  });
});
