import { TerraformStack, Testing } from "cdktf";
import { workspace } from "../../../../src";

const newStack = (): TerraformStack => {
  const stack = new TerraformStack(Testing.app(), "Demo");
  new workspace.WorkspaceProvider(stack, "workspace", { product: workspace.products.coder });
  return stack;
};

test("a stack for coder has coder's provider, types, names and values", () => {
  const stack = newStack();
  const { agentId } = new workspace.Agent(stack, "main", {
    os: "linux",
    arch: "amd64",
    auth: "cloudB-instance-identity",
    displayApps: { editor: false, editorInsiders: true, webTerminal: false },
  });
  new workspace.App(stack, "ide", { agentId, slug: "ide", url: "http://localhost:1" });
  const preset = new workspace.DataWorkspacePreset(stack, "small", { name: "Small" });
  new workspace.Env(stack, "PRESET", { agentId, name: "PRESET", value: preset.name });
  expect(JSON.parse(Testing.synth(stack, true))).toMatchObject({
    terraform: { required_providers: { coder: { source: "coder/coder", version: "~> 2.0" } } },
    provider: { coder: [{}] },
    resource: {
      coder_agent: {
        main: {
          auth: "aws-instance-identity",
          display_apps: { vscode: false, vscode_insiders: true, web_terminal: false },
        },
      },
      coder_app: { ide: { agent_id: "${coder_agent.main.id}" } },
      coder_env: { PRESET: { value: "${data.coder_workspace_preset.small.name}" } },
    },
    data: { coder_workspace_preset: { small: { name: "Small" } } },
  });
});

test("its HCL has them too", () => {
  const stack = newStack();
  new workspace.Agent(stack, "main", {
    os: "linux",
    arch: "amd64",
    auth: "cloudC-instance-identity",
    displayApps: { editor: true },
  });
  const { hcl } = stack.toHclTerraform() as { readonly hcl: string };
  expect(hcl).toContain('resource "coder_agent" "main"');
  expect(hcl).toMatch(/auth = "azure-instance-identity"/);
  expect(hcl).toMatch(/display_apps \{\s+vscode = true/);
});

test("what coder refuses is reported with all other problems", () => {
  const stack = newStack();
  const { agentId } = new workspace.Agent(stack, "main", { os: "linux", arch: "amd64" });
  const url = "http://localhost:1";
  expect(
    () => new workspace.App(stack, "ide", { agentId, slug: "IDE", url, share: "all" as never }),
  ).toThrow(/2 problems\n {2}share: .*\n {2}slug: must not contain capitals for coder/);
});

describe("the database of coder", () => {
  const agent = (props: Partial<workspace.AgentProps> = {}) =>
    new workspace.Agent(newStack(), "main", { os: "linux", arch: "amd64", ...props });
  const app = (props: Partial<workspace.AppProps>) => () =>
    agent().addApp("x", { command: "top", ...props });
  const url = (text: string) => () => agent().addApp("x", { url: `http://l/${text.slice(9)}` });
  const metadata = (props: { key?: string; script?: string; displayName?: string }) => () =>
    agent({ metadatas: [{ key: "k", script: "true", interval: 5, ...props }] });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- still supported
  const dir = (text: string) => () => agent({ dir: text });
  const about = (props: Partial<workspace.MetadataProps>) => () =>
    new workspace.Metadata(newStack(), "m", { resourceId: "x", ...props });
  const long = (limit: number, path: string) =>
    `${path}: must be at most ${limit} characters long for coder's database (got ${limit + 1}`;

  test.each([
    ["slug", 64, (text: string) => app({ slug: text })],
    ["icon", 256, (text: string) => app({ icon: text })],
    ["command", 65_534, (text: string) => app({ command: text })],
    ["url", 65_534, url],
    ["dir", 4096, dir],
    ["metadatas[0].key", 127, (key: string) => metadata({ key })],
    ["metadatas[0].displayName", 127, (displayName: string) => metadata({ displayName })],
    ["metadatas[0].script", 65_535, (script: string) => metadata({ script })],
    ["icon", 256, (icon: string) => about({ icon })],
    ["items[0].key", 1024, (key: string) => about({ items: [{ key }] })],
    ["items[0].value", 65_536, (value: string) => about({ items: [{ key: "k", value }] })],
  ])("limits the %s to %i characters", (path, limit, build) => {
    expect(build("a".repeat(limit))).not.toThrow();
    expect(build("a".repeat(limit + 1))).toThrow(long(limit, path));
    if (path !== "slug" && path !== "url") expect(build("ä".repeat(limit))).not.toThrow();
  });

  test("does not limit the slug of an app with a display name", () => {
    expect(app({ slug: "a".repeat(65), displayName: "A" })).not.toThrow();
  });

  test.each([
    ["displayName", app({ displayName: "a\0" })],
    ["value", () => agent().addEnv("A", "a\0b")],
    ["env.A", () => agent({ env: { A: "a\0" } })],
    ["items[0].value", about({ items: [{ key: "k", value: "b\0" }] })],
    ["default", () => new workspace.DataParameter(newStack(), "p", { name: "p", default: "a\0" })],
  ])("stores no NUL in %s", (path, build) => {
    expect(build).toThrow(`${path}: must not contain the character NUL`);
  });

  test.each([
    ["dailyCost", about({ dailyCost: 3_000_000_000 })],
    ["order", () => agent({ order: 3_000_000_000 })],
    [
      "timeout",
      () =>
        agent().addScript("s", {
          script: "true",
          displayName: "S",
          runOnStart: true,
          timeout: 3_000_000_000,
        }),
    ],
    [
      "healthcheck.interval",
      app({
        url: "http://localhost:1",
        command: undefined,
        healthcheck: { url: "http://localhost:1", interval: 3_000_000_000, threshold: 1 },
      }),
    ],
    [
      "validation.max",
      () =>
        new workspace.DataParameter(newStack(), "p", {
          name: "p",
          type: "number",
          default: 1,
          validation: { max: 4_000_000_000 },
        }),
    ],
  ])("stores %s with 32 bits", (path, build) => {
    expect(build).toThrow(`${path}: must be an integer of at most 32 bits for coder`);
  });
});

test("coder's provider has secrets in two versions only", () => {
  const stack = newStack();
  const secret = new workspace.DataSecret(stack, "key", { env: "KEY", helpMessage: "Store KEY." });
  expect(secret.node.metadata.map(({ data }): unknown => data)).toEqual([
    expect.stringContaining("env: needs version 2.16 or 2.17 of coder's provider"),
  ]);
});
