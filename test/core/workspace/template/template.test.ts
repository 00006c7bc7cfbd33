import { TerraformOutput, Testing } from "cdktf";
import type { TerraformStack } from "cdktf";
import { workspace } from "../../../../src";
import { warnings } from "../synthesized";
import { Machine, newAgent, newTemplate } from "./template";

function problems(stack: TerraformStack): string {
  try {
    Testing.synth(stack, true);
  } catch (error) {
    return String(error);
  }
  return "";
}

/** A template with most of the problems that otherwise only the platform reports. */
function brokenTemplate(props: workspace.WorkspaceProviderProps): TerraformStack {
  const stack = newTemplate(props);
  const agent = newAgent(stack, "my_agent");
  agent.addApp("code", { command: "top", hidden: true });
  new workspace.App(stack, "second", { agentId: agent.agentId, slug: "code", command: "top" });
  agent.resource.env = { HOME: "/x" };
  agent.addEnv("HOME", "/y");
  const machine = new Machine(stack, "vm", { token: agent.token });
  for (const id of ["m", "n"]) new workspace.Metadata(stack, id, { resourceId: machine.id });
  for (const id of ["p", "q"]) new workspace.DataParameter(stack, id, { name: "size" });
  new workspace.DataParameter(stack, "cpu", { name: "cpu", type: "number" });
  for (const name of ["One", "Two"]) {
    const parameters = { cpu: "many" };
    new workspace.DataWorkspacePreset(stack, name, { name, default: true, parameters });
  }
  new TerraformOutput(stack, "token", { value: agent.token });
  return stack;
}

const expected = [
  "workspace.Agent at Demo/my_agent: 2 problems\n  would be the agent",
  "  token: is a secret that the output Demo/token shows",
  "workspace.App at Demo/my_agent/code: 1 problem\n  hidden: needs version 2.16",
  "workspace.App at Demo/second: 1 problem\n  slug: must differ from",
  "workspace.Env at Demo/my_agent/HOME: 1 problem\n  name: must not be set in the env",
  "workspace.Metadata at Demo/n: 1 problem\n  resourceId: must differ from",
  "workspace.DataParameter at Demo/q: 1 problem\n  name: must differ from",
  "  default: must be true for only one preset",
];

/** coder only advises against these values. */
const expectedOfOurs = [
  "workspace.DataWorkspacePreset at Demo/One: 1 problem\n  parameters.cpu: must be",
  "workspace.DataWorkspacePreset at Demo/Two: 2 problems",
];

describe("all rules run when a template is synthesized, and report all problems at once", () => {
  const platform = { version: "2.10.0" };

  test.each([
    ["our own product", undefined, [...expected, ...expectedOfOurs]],
    ["another product", workspace.products.coder, expected],
  ])("for %s", (_words, product, all) => {
    const text = problems(brokenTemplate({ platform, product }));
    for (const each of all) expect(text).toContain(each);
  });

  test("warnings are attached to the constructs", () => {
    const stack = newTemplate();
    const agent = newAgent(stack);
    const app = new workspace.App(stack, "code", {
      agentId: "literal",
      slug: "code",
      command: "top",
    });
    expect(problems(stack)).toBe("");
    expect(warnings(agent)).toEqual([
      expect.stringMatching(/^is dropped by the platform.*\[agent-dropped\]$/),
    ]);
    expect(warnings(app)).toEqual([
      expect.stringMatching(
        /^agentId: should refer directly to the agentId.*\[agent-part-indirect\]$/,
      ),
    ]);
  });

  test("a good template has neither problems nor warnings", () => {
    const stack = newTemplate({ platform: { version: "2.28.0", licence: "premium" } });
    const agent = newAgent(stack);
    const parts = [
      agent.addApp("code", { url: "http://localhost:8080", hidden: true }),
      agent.addEnv("HOME", "/home"),
      agent.addScript("start", { script: "true", runOnStart: true }),
      agent.addDevcontainer("dev", { workspaceFolder: "/src" }),
    ];
    const machine = new Machine(stack, "vm", { token: agent.token });
    const metadata = new workspace.Metadata(stack, "m", { resourceId: machine.id, dailyCost: 1 });
    new TerraformOutput(stack, "token", { value: agent.token, sensitive: true });
    expect(problems(stack)).toBe("");
    for (const each of [agent, ...parts, metadata]) expect(warnings(each)).toEqual([]);
  });
});
