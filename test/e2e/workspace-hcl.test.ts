import { changesOf, stateOf, template, writeTemplate } from "./support/template";
import { tools } from "./support/tool";

/** Templates of users of an existing provider, with its prefix and values replaced by ours. */
const templates = [
  { name: "container", creates: 8, agents: ["main"] },
  { name: "machine", creates: 12, agents: ["linux", "windows"] },
  { name: "task", creates: 9, agents: ["dev", "laptop"] },
];

describe.each(tools)("a template in HCL under %s", (tool) => {
  it.each(templates)("is built as $name, and built again", async (expected) => {
    const { workspace, platform } = template(tool);
    writeTemplate(workspace, expected.name);
    const taskPrompt = "Mend the build";
    const first = await platform.build({ transition: "start", taskPrompt });
    expect(first.agents.map(({ name }) => name).sort()).toEqual(expected.agents);
    expect(first.warnings).toEqual([]);
    expect(changesOf(first)).toHaveLength(expected.creates);
    expect(changesOf(first).every((change) => change.startsWith("create "))).toBe(true);
    const again = await platform.build({ transition: "start" });
    // This machine receives the owner's session token, which differs on every start.
    const session = expected.name === "task" ? ["update terraform_data.pod[0]"] : [];
    expect(changesOf(again)).toEqual(session);
    expect([...stateOf(again).keys()]).toEqual([...stateOf(first).keys()]);
  });
});
