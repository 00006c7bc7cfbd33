import { TerraformOutput, TerraformVariable } from "cdktf";
import type { TerraformStack } from "cdktf";
import { workspace } from "../../../../src";
import { platformRequirement } from "../../../../src/core/workspace/template/platform-requirements";
import { findingsOf, newAgent, newTemplate } from "./template";

type Declare = (stack: TerraformStack) => unknown;

function findings(
  platform: workspace.PlatformTarget | undefined,
  declare: Declare,
): readonly string[] {
  const stack = newTemplate({ platform });
  declare(stack);
  return findingsOf(platformRequirement, stack);
}

const appWith =
  (props: Omit<workspace.AgentAppProps, "command">): Declare =>
  (stack) =>
    newAgent(stack).addApp("code", { url: "http://localhost:1", ...props });

const prompted: Declare = (stack) =>
  new TerraformOutput(stack, "o", { value: new workspace.DataTask(stack, "task").prompt });

const promptedTask: Declare = (stack) => {
  const { appId } = newAgent(stack).addApp("code", { command: "top" });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what older platforms need
  const task = new workspace.AiTask(stack, "task", { sidebarApp: { id: appId } });
  new TerraformOutput(stack, "o", { value: [`\${${task.fqn}.prompt}`] });
};

const external: Declare = (stack) =>
  new workspace.ExternalAgent(stack, "e", { agentId: newAgent(stack).agentId });

const cases: readonly (readonly [
  what: string,
  declare: Declare,
  lacking: workspace.PlatformTarget,
  enough: workspace.PlatformTarget,
  finding: string,
])[] = [
  [
    "a hidden app",
    appWith({ hidden: true }),
    { version: "2.15.9" },
    { version: "2.16.0" },
    "error REQUIRES Demo/main/code: hidden: needs version 2.16 of the platform, for hidden apps (the target of Demo/workspace is version 2.15.9)",
  ],
  [
    "a dev container",
    (stack) => newAgent(stack).addDevcontainer("d", { workspaceFolder: "/src" }),
    { version: "2.9" },
    { version: "2.21" },
    "error REQUIRES Demo/main/d: : needs version 2.21 of the platform, for dev containers (the target of Demo/workspace is version 2.9)",
  ],
  [
    "the prompt of a task that is read",
    prompted,
    { version: "2.27.11" },
    { version: "3.0.0" },
    "error REQUIRES Demo/task: prompt: needs version 2.28 of the platform, for the prompts of tasks (the target of Demo/workspace is version 2.27.11)",
  ],
  [
    "the prompt of an AI task that is read",
    promptedTask,
    { version: "1.99.0" },
    { version: "2.28.0-rc.1" },
    "error REQUIRES Demo/task: prompt: needs version 2.28 of the platform, for the prompts of AI tasks (the target of Demo/workspace is version 1.99.0)",
  ],
  [
    "an AI task without a sidebar app",
    (stack) => {
      const { appId } = newAgent(stack).addApp("code", { command: "top" });
      new workspace.AiTask(stack, "task", { appId });
    },
    { version: "2.26.0" },
    { version: "2.28.1" },
    "error REQUIRES Demo/task: appId: needs version 2.28 of the platform, for AI tasks without `sidebarApp` (the target of Demo/workspace is version 2.26.0)",
  ],
  [
    "the ID of a task that is read",
    (stack) => new TerraformOutput(stack, "o", { value: new workspace.DataTask(stack, "task").id }),
    { version: "2.26.0" },
    { version: "2.28.0" },
    "error REQUIRES Demo/task: id: needs version 2.28 of the platform, for the IDs of tasks (the target of Demo/workspace is version 2.26.0)",
  ],
  [
    "an external login",
    (stack) => new workspace.DataExternalAuth(stack, "git", { id: "github", optional: true }),
    { externalAuth: ["gitlab"] },
    { externalAuth: ["gitlab", "github"] },
    'error REQUIRES Demo/git: id: must be the ID of an external login that administrators of the platform have set up, even if it is optional: otherwise the platform refuses the template (got "github", the target of Demo/workspace has gitlab)',
  ],
  [
    "a daily cost",
    (stack) => new workspace.Metadata(stack, "m", { dailyCost: 0 }),
    { licence: "none" },
    { licence: "premium" },
    "error REQUIRES Demo/m: dailyCost: needs an enterprise licence of the platform, for daily costs (the target of Demo/workspace has none)",
  ],
  [
    "an external agent",
    external,
    { licence: "enterprise" },
    { licence: "premium" },
    "error REQUIRES Demo/e: : needs a premium licence of the platform, for external agents (the target of Demo/workspace has an enterprise one)",
  ],
  [
    "a shared app",
    appWith({ share: workspace.AppShare.PUBLIC }),
    { permittedShareLevels: [workspace.AppShare.AUTHENTICATED] },
    { permittedShareLevels: [workspace.AppShare.PUBLIC] },
    'error REQUIRES Demo/main/code: share: must be permitted by the platform, for shared apps (got "public", the target of Demo/workspace permits owner, authenticated)',
  ],
  [
    "an app with a subdomain",
    appWith({ subdomain: true }),
    { wildcardHost: false },
    { wildcardHost: true },
    "warning ADVICE Demo/main/code: subdomain: needs a wildcard host on the platform, for apps with a subdomain: users cannot open the app (the target of Demo/workspace has none)",
  ],
];

describe.each(cases)("%s", (_what, declare, lacking, enough, finding) => {
  test("is found if the platform does not support it", () => {
    expect(findings(lacking, declare)).toEqual([finding]);
  });

  test("is accepted if the platform supports it, or if the platform is unknown", () => {
    for (const platform of [enough, {}, undefined]) expect(findings(platform, declare)).toEqual([]);
  });
});

describe("unused features are not reported", () => {
  test("values that switch it off, that only Terraform knows, or that are not read", () => {
    const none = {
      version: "1.0.0",
      licence: "none",
      permittedShareLevels: [],
      wildcardHost: false,
    } as const;
    expect(findings(none, appWith({ hidden: false, subdomain: false }))).toEqual([]);
    expect(findings(none, appWith({ share: workspace.AppShare.OWNER }))).toEqual([]);
    const unknown: Declare = (stack) => {
      const variable = new TerraformVariable(stack, "v", {});
      appWith({ hidden: variable.booleanValue, share: variable.value as never })(stack);
      new TerraformOutput(stack, "o", { value: new workspace.DataTask(stack, "task").enabled });
    };
    expect(findings(none, unknown)).toEqual([]);
  });

  test("constructs without instances", () => {
    const declare: Declare = (stack) =>
      newAgent(stack).addDevcontainer("d", { workspaceFolder: "/src", count: 0 });
    expect(findings({ version: "2.0.0" }, declare)).toEqual([]);
  });

  test("constructs of another provider with its own target", () => {
    const declare: Declare = (stack) => {
      const provider = new workspace.WorkspaceProvider(stack, "new", {
        alias: "new",
        platform: { version: "2.30.0" },
      });
      newAgent(stack).addDevcontainer("d", { workspaceFolder: "/src", provider });
    };
    expect(findings({ version: "2.0.0" }, declare)).toEqual([]);
  });
});
