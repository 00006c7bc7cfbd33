import { TerraformStack, Testing } from "cdktf";
import { workspace } from "../../../src";

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
  const metadata = (props: { key?: string; script?: string }) => () =>
    agent({ metadatas: [{ key: "k", script: "true", interval: 5, ...props }] });

  test.each([
    [
      "slug",
      64,
      (text: string) => app({ slug: text }),
      /slug: must be at most 64 bytes .*\(got 65\): shorten it, or set `displayName` \(seen with coder 2\.26\)/,
    ],
    ["icon", 256, (text: string) => app({ icon: text }), /icon: must be at most 256 bytes/],
    [
      "command",
      65_534,
      (text: string) => app({ command: text }),
      /command: must be at most 65534 bytes/,
    ],
    [
      "key",
      127,
      (text: string) => metadata({ key: text }),
      /metadatas\[0\]\.key: must be at most 127 bytes/,
    ],
    [
      "script",
      65_535,
      (text: string) => metadata({ script: text }),
      /metadatas\[0\]\.script: must be at most 65535 bytes/,
    ],
  ])("limits the %s to %i bytes", (_, limit, build, message) => {
    expect(build("a".repeat(limit))).not.toThrow();
    expect(build("a".repeat(limit + 1))).toThrow(message);
  });

  test("does not limit the slug of an app with a display name", () => {
    expect(app({ slug: "a".repeat(65), displayName: "A" })).not.toThrow();
  });
});

test("coder's provider has secrets in two versions only", () => {
  const stack = newStack();
  const secret = new workspace.DataSecret(stack, "key", { env: "KEY", helpMessage: "Store KEY." });
  expect(secret.node.metadata.map(({ data }): unknown => data)).toEqual([
    expect.stringContaining("env: needs version 2.16 or 2.17 of coder's provider"),
  ]);
});
