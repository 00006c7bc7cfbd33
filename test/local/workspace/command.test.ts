import {
  type BuildReport,
  buildText,
  importText,
} from "../../../src/local/workspace/build/report-text";
import { defaultStateFolder } from "../../../src/local/workspace/command";

const noApp = {
  slug: "",
  name: "",
  icon: "",
  group: "",
  url: "",
  command: "",
  tooltip: "",
  share: "",
  isExternal: false,
  isHidden: false,
};
const noScript = {
  icon: "",
  phases: ["start" as const],
  schedule: "",
  blocksLogin: false,
  timeout: 0,
  content: { text: "" },
};

const report: BuildReport = {
  workspace: "blue",
  owner: "ada",
  transition: "start",
  skipped: false,
  changes: [
    { address: "vm.a", type: "vm", action: "create" },
    { address: "workspace_agent.main", type: "workspace_agent", action: "create" },
    { address: "vm.b", type: "vm", action: "replace" },
  ],
  agents: [
    {
      address: "workspace_agent.main",
      name: "main",
      id: "a1",
      os: "linux",
      arch: "amd64",
      auth: "token",
      resource: "vm.a",
      directory: "",
      token: { secret: { address: "workspace_agent.main", path: ["token"] } },
      metadata: [],
      apps: [{ ...noApp, slug: "web", url: "http://localhost:80" }],
      environment: [
        { name: "A", value: { text: "1" } },
        { name: "SECRET", value: { secret: { address: "workspace_env.s", path: ["value"] } } },
        { name: "KEY", value: { text: "a key-1234" } },
      ],
      scripts: [
        { ...noScript, name: "Set up", after: [] },
        { ...noScript, name: "Build", after: ["Set up"] },
      ],
      devcontainers: [],
    },
  ],
  droppedAgents: [],
  unattached: [],
  resources: [],
  dailyCost: 0,
  parameters: [
    {
      address: "data.workspace_parameter.size",
      name: "size",
      type: "number",
      value: "2",
      optional: true,
      mutable: true,
      ephemeral: false,
      isMasked: false,
    },
    {
      address: "data.workspace_parameter.key",
      name: "key",
      type: "string",
      value: "key-1234",
      optional: true,
      mutable: true,
      ephemeral: false,
      isMasked: true,
    },
  ],
  presets: [{ name: "Small", isDefault: true, parameters: { size: "1" }, prebuilds: 2 }],
  externalAuth: [{ id: "git", optional: true }],
  warnings: ["Look out."],
  statePath: "/state/terraform.tfstate",
};

it("prints what the platform would see after a build", () => {
  expect(buildText(report)).toBe(`The workspace "blue" of "ada" is running: 2 created, 1 replaced.

Agents:
  main: linux/amd64, runs on vm.a
    app web: http://localhost:80
    env A=1
    env SECRET
    env KEY=a ***
    script Set up
    script Build, after Set up

Parameters:
  size = "2" (number, optional)
  key = (masked) (string, optional)

Presets:
  Small (default): size = "1", 2 prebuilt

Required external logins:
  git (optional)

Warnings:
  Look out.

State: /state/terraform.tfstate
`);
});

it("prints what an import finds", () => {
  const nothing = { agents: [], parameters: [], presets: [], externalAuth: [], warnings: [] };
  const found = { ...report, ...nothing, whileStarted: ["vm.a"], tags: {} };
  expect(importText(found)).toBe(`The template can be imported.

Exist only while a workspace runs:
  vm.a
`);
  expect(importText({ ...found, whileStarted: [], tags: { cluster: "gpu", os: "linux" } }))
    .toBe(`The template can be imported.

Tags:
  cluster = "gpu"
  os = "linux"
  A server builds this template only if a provisioner with these tags is connected. Without one, the
  import and each build wait.
`);
});

it("keeps the state of each template in a separate folder in the user's state folder", () => {
  const [a, b] = ["/x/dev", "/y/dev"].map((path) =>
    defaultStateFolder(path, { env: {}, home: "/home/ada" }),
  );
  expect(a).toMatch(/^\/home\/ada\/\.local\/state\/trivet\/local-workspace\/dev-[0-9a-f]{12}$/);
  expect(b).not.toBe(a);
  const around = { env: { XDG_STATE_HOME: "/s" }, home: "/home/ada" };
  expect(defaultStateFolder("/x/dev", around)).toMatch(/^\/s\/trivet\//);
});
