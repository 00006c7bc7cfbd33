import { TerraformStack, TerraformVariable, Testing } from "cdktf";
import { workspace } from "../../../../src";
import { providerVersion } from "../../../../src/core/construct";
import { wireSchema } from "../../../../src/core/schema";
import { workspaceProvider } from "../../../../src/core/workspace/provider/declare";
import { found, newAgent, read, refusal, resources, synthesized } from "../synthesized";

const emptyStack = (): TerraformStack => new TerraformStack(Testing.app(), "Demo");

const platform: workspace.PlatformTarget = {
  version: "2.28.0",
  licence: "enterprise",
  permittedShareLevels: [workspace.AppShare.OWNER],
  wildcardHost: true,
};

test("a provider needs no settings", () => {
  const stack = emptyStack();
  const provider = new workspace.WorkspaceProvider(stack, "workspace");
  expect(synthesized(stack)).toEqual({
    provider: { workspace: [{}] },
    terraform: {
      required_providers: {
        workspace: {
          source: "trivet.local/trivet/workspace",
          version: providerVersion("workspace"),
        },
      },
    },
  });
  expect(provider.url).toBeUndefined();
  expect(provider.platform).toBeUndefined();
});

test("terraformConfig has only the URL", () => {
  const stack = emptyStack();
  const url = "https://dev.example.com";
  const settings = { url, alias: "dev", product: workspace.products.trivet, platform };
  const provider = new workspace.WorkspaceProvider(stack, "workspace", settings);
  expect(provider.terraformConfig()).toEqual({ url });
  expect(synthesized(stack)["provider"]).toEqual({ workspace: [{ url, alias: "dev" }] });
  expect([provider.url, provider.alias, provider.fqn]).toEqual([url, "dev", "workspace.dev"]);
});

test("every declared setting can be set", () => {
  const provider = new workspace.WorkspaceProvider(emptyStack(), "w", { url: "http://localhost" });
  const declared = wireSchema(workspaceProvider).block.attributes.map(({ name }) => name);
  expect(Object.keys(provider.terraformConfig())).toEqual(declared);
});

test("the URL may be a token", () => {
  const stack = emptyStack();
  const url = new TerraformVariable(stack, "url", { type: "string" }).stringValue;
  new workspace.WorkspaceProvider(stack, "workspace", { url });
  expect(synthesized(stack)["provider"]).toEqual({ workspace: [{ url: "${var.url}" }] });
});

test("the platform can be read as it was set", () => {
  const target = { ...platform };
  const provider = new workspace.WorkspaceProvider(emptyStack(), "w", { platform: target });
  target.version = "2.1.0";
  expect(provider.platform).toEqual(platform);
});

test.each(["2.28", "2.28.0", "2.28.0-rc.1", "2.28.0+abc", undefined])(
  "accepts %s as a version",
  (version) => {
    const build = () =>
      new workspace.WorkspaceProvider(emptyStack(), "w", { platform: { version } });
    expect(build).not.toThrow();
  },
);

test.each<[string, workspace.WorkspaceProviderProps, string]>([
  ["a URL without a scheme", { url: "dev.example.com" }, "INVALID_ARGUMENT url"],
  [
    "a version with a letter",
    { platform: { version: "v2.28.0" } },
    "INVALID_ARGUMENT platform.version",
  ],
  ["half a version", { platform: { version: "2" } }, "INVALID_ARGUMENT platform.version"],
  [
    "a licence that there is not",
    { platform: { licence: "gold" } } as never,
    "INVALID_ARGUMENT platform.licence",
  ],
  [
    "a share level that there is not",
    { platform: { permittedShareLevels: ["owner", "team"] } } as never,
    "INVALID_ARGUMENT platform.permittedShareLevels.1",
  ],
  [
    "a string for a boolean",
    { platform: { wildcardHost: "no" } } as never,
    "WRONG_TYPE platform.wildcardHost",
  ],
  [
    "a misspelt fact",
    { platform: { license: "none" } } as never,
    "UNKNOWN_PROPERTY platform.license",
  ],
  ["a misspelt setting", { platfrom: {} } as never, "UNKNOWN_PROPERTY platfrom"],
])("refuses %s", (_name, props, expected) => {
  const error = refusal(() => new workspace.WorkspaceProvider(emptyStack(), "w", props));
  expect([error.constructPath, ...found(error)]).toEqual(["Demo/w", expected]);
});

test("settings and platform are refused in one error", () => {
  const props = { url: "ftp://dev.example.com", platform: { version: "new" } };
  const error = refusal(() => new workspace.WorkspaceProvider(emptyStack(), "w", props));
  expect(error.message.split("\n")).toEqual([
    "workspace.WorkspaceProvider at Demo/w: 2 problems",
    '  url: must be an http or https URL (got "ftp://dev.example.com") [INVALID_ARGUMENT]',
    '  platform.version: must be a version such as 2.28.0 (got "new") [INVALID_ARGUMENT]',
  ]);
});

test("resources choose a provider by its alias", () => {
  const stack = emptyStack();
  const provider = new workspace.WorkspaceProvider(stack, "dev", { alias: "dev" });
  new workspace.Agent(stack, "main", { os: "linux", arch: "amd64", provider });
  expect(resources(stack, "workspace_agent")).toHaveProperty("main.provider", "workspace.dev");
});

test("a stack for another product uses its names and values, in references too", () => {
  const stack = emptyStack();
  const product = workspace.products.coder;
  new workspace.WorkspaceProvider(stack, "workspace", { product, platform });
  const agent = new workspace.Agent(stack, "main", {
    os: "linux",
    arch: "amd64",
    auth: workspace.AgentAuth.CLOUD_B_INSTANCE_IDENTITY,
    displayApps: { editor: false, editorInsiders: true },
    metadatas: [{ key: "cpu", script: "cpu", interval: 1 }],
  });
  agent.addEnv("EDITOR", "vim").overrideLogicalId("editor");
  expect(synthesized(stack)["resource"]).toEqual({
    coder_agent: {
      main: {
        os: "linux",
        arch: "amd64",
        auth: "aws-instance-identity",
        display_apps: { vscode: false, vscode_insiders: true },
        metadata: [{ key: "cpu", script: "cpu", interval: 1 }],
      },
    },
    coder_env: { editor: { agent_id: "${coder_agent.main.id}", name: "EDITOR", value: "vim" } },
  });
  expect(read(agent, "displayApps")).toHaveProperty(
    "displayApps.editor",
    "${one(flatten(coder_agent.main.display_apps[*].vscode))}",
  );
});

test("two agents of the same name are refused for another product too", () => {
  const stack = emptyStack();
  new workspace.WorkspaceProvider(stack, "workspace", { product: workspace.products.coder });
  newAgent(stack, "main");
  newAgent(stack, "other").overrideLogicalId("main");
  expect(() => Testing.synth(stack, true)).toThrow(/coder_agent\.main/);
});
