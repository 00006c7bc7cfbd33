import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "cdktf";
import { workspace } from "../../src";
import { terraformPlatform } from "../../src/cli/package/platform";
import { LocalPlatform } from "../../src/local/workspace/local-platform";
import { WorkspaceTemplateStack } from "../../stacks/workspace-template-stack";

/** The binary of coder's own provider, of any version 2. Without it, these tests do not run. */
const { TRIVET_CODER_PROVIDER: binary } = process.env;

const base = mkdtempSync(join(tmpdir(), "trivet-e2e-coder-"));
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

/** A CLI configuration whose only provider is the binary. It gets a version that each stack accepts. */
function cliConfiguration(provider: string): string {
  const [version, mirror] = ["2.999.0", join(base, "mirror")];
  const host = join(mirror, "registry.terraform.io", "coder", "coder", version);
  const folder = join(host, terraformPlatform());
  mkdirSync(folder, { recursive: true });
  copyFileSync(provider, join(folder, `terraform-provider-coder_v${version}`));
  const file = join(base, "terraform.rc");
  const text = `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`;
  writeFileSync(file, text);
  return file;
}

function platformOf(template: string, configuration: string): LocalPlatform {
  const home = mkdtempSync(join(base, "home-"));
  return new LocalPlatform({
    template,
    stateFolder: join(home, "platform"),
    typePrefix: "coder_",
    environmentPrefix: "CODER",
    env: { PATH: process.env["PATH"], HOME: home, TF_CLI_CONFIG_FILE: configuration },
  });
}

/** A template of a user of our provider, moved to coder's as the guide says, in the other direction. */
function movedToCoder(name: string): string {
  const file = join(__dirname, "workspace-templates", `${name}.tf`);
  const text = readFileSync(file, "utf8")
    .replaceAll("trivet.local/trivet/workspace", "coder/coder")
    .replaceAll(/\bworkspace = \{/g, "coder = {")
    .replaceAll(/provider "workspace"/g, 'provider "coder"')
    .replaceAll(/\bworkspace_(?=[a-z_]+["._])/g, "coder_")
    .replaceAll(/\beditor(?=(?:_insiders)?\s+=)/g, "vscode")
    .replaceAll(/"cloudA-instance-identity"/g, '"google-instance-identity"')
    .replaceAll(/"cloudB-instance-identity"/g, '"aws-instance-identity"')
    .replaceAll(/"cloudC-instance-identity"/g, '"azure-instance-identity"');
  const folder = join(base, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "main.tf"), text);
  return folder;
}

const names = readdirSync(join(__dirname, "workspace-templates"))
  .filter((name) => name.endsWith(".tf"))
  .map((name) => name.replace(".tf", ""));

(binary === undefined ? describe.skip : describe)("coder's own provider", () => {
  let configuration: string;

  beforeAll(() => {
    configuration = cliConfiguration(binary ?? "");
  });

  /** Imports the template, builds a workspace of it and deletes it. */
  async function expectBuilt(template: string): Promise<void> {
    const platform = platformOf(template, configuration);
    const preview = await platform.preview();
    const imported = await platform.importTemplate();
    const inPlan = imported.parameters.map(({ name, type, value, mutable, ephemeral }) => ({
      name,
      type,
      value,
      mutable,
      ephemeral,
    }));
    const inPreview = preview.parameters.map(({ name, type, value, mutable, ephemeral }) => ({
      name,
      type,
      value,
      mutable,
      ephemeral,
    }));
    const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
      one.name < other.name ? -1 : 1;
    expect(inPreview.sort(byName)).toEqual(inPlan.sort(byName));
    const externalAuth = Object.fromEntries(imported.externalAuth.map(({ id }) => [id, "token"]));
    const built = await platform.build({ transition: "start", externalAuth });
    expect(built.agents.length).toBeGreaterThan(0);
    const again = await platform.build({ transition: "delete" });
    expect(again.changes.every(({ action }) => action === "delete")).toBe(true);
  }

  it("builds the demo stack", async () => {
    const outdir = join(base, "cdktf.out");
    const app = new App({ outdir });
    new WorkspaceTemplateStack(app, "demo", { product: workspace.products.coder });
    app.synth();
    await expectBuilt(join(outdir, "stacks", "demo"));
  });

  it.each(names)("builds the template %s", async (name) => {
    await expectBuilt(movedToCoder(name));
  });
});
