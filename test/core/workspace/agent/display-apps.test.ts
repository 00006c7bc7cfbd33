import { UNKNOWN } from "../../../../src/core/schema";
import { agent } from "../../../../src/core/workspace/agent/declare";
import { planIn, run, start } from "../provider/provider";

describe("the apps that an agent shows", () => {
  const least = { os: "linux", arch: "amd64" };
  const empty = {
    editor: null,
    editorInsiders: null,
    webTerminal: null,
    sshHelper: null,
    portForwardingHelper: null,
  };
  const byDefault = {
    editor: true,
    editorInsiders: false,
    webTerminal: true,
    sshHelper: true,
    portForwardingHelper: true,
  };

  test.each([
    ["absent", [], byDefault],
    ["empty", [empty], byDefault],
    ["partial", [{ ...empty, editorInsiders: true }], { ...byDefault, editorInsiders: true }],
  ])("have defaults where the block is %s", async (_name, displayApps, expected) => {
    const { planned, state } = await run(agent, { ...least, displayApps });
    expect(planned["displayApps"]).toEqual([expected]);
    expect(state["displayApps"]).toEqual([expected]);
  });

  test("fall back to them, in place, when the block is removed", async () => {
    const created = await run(agent, { ...least, displayApps: [{ ...empty, editor: false }] });
    const removed = await run(agent, least, created);
    expect(removed.replaces).toEqual([]);
    expect(removed.state["displayApps"]).toEqual([byDefault]);
  });

  test("may be unknown during the plan", async () => {
    const { planned } = await planIn(await start(), agent, { ...least, displayApps: UNKNOWN });
    expect(planned?.["displayApps"]).toBe(UNKNOWN);
  });
});
