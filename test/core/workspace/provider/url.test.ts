import { UNKNOWN } from "../../../../src/core/schema";
import { workspace } from "../../../../src/core/workspace/workspace/declare";
import { workspaceOwner } from "../../../../src/core/workspace/workspace-owner/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import { type Environment, readData, start, startBuild, without } from "./provider";

describe("the URL of the platform", () => {
  const url = async (settings: object, environment: Environment = {}) => {
    const { state, diagnostics } = await readData(workspace, {}, environment, { ...settings });
    return state === undefined ? details(diagnostics) : [state["accessUrl"], state["accessPort"]];
  };
  const agentUrl = { TRIVET_AGENT_URL: "http://env.test" };

  test.each<[string, object, Environment, string, number]>([
    ["the setting's", { url: "https://set.test" }, agentUrl, "https://set.test", 443],
    ["the environment's", {}, agentUrl, "http://env.test", 80],
    ["the environment's for an empty setting", { url: "" }, agentUrl, "http://env.test", 80],
    ["without trailing slashes", { url: "https://a.test/x//" }, {}, "https://a.test/x", 443],
    [
      "the default port's, written out",
      { url: "https://a.test:443/" },
      {},
      "https://a.test:443",
      443,
    ],
    ["an IPv6 address", { url: "http://[::1]:3000" }, {}, "http://[::1]:3000", 3000],
    [
      "a placeholder for an empty variable",
      {},
      { TRIVET_AGENT_URL: "" },
      "https://workspace.example.com",
      443,
    ],
  ])("is %s", async (_name, settings, environment, expected, port) => {
    expect(await url(settings, environment)).toEqual([expected, port]);
  });

  test("is required in a real build", async () => {
    const { configured } = await start(without(startBuild, "TRIVET_AGENT_URL"));
    expect(summaries(configured)).toEqual(["ERROR url Missing Platform URL"]);
    expect(details(configured)).toContain("TRIVET_AGENT_URL");
  });

  test.each(["ftp://a.test", "a.test", "https://", "https://u:pw@a.test", "https://a.test/?q"])(
    "must be usable: %s",
    async (text) => {
      const { configured } = await start({ TRIVET_AGENT_URL: text });
      expect(summaries(configured)).toEqual(["ERROR url Invalid Platform URL"]);
      expect(details(configured)).not.toContain("pw");
    },
  );

  test("that is unknown during the plan is accepted; reading the workspace needs it", async () => {
    const { configured } = await start({}, { url: UNKNOWN });
    expect(configured).toEqual([]);
    expect(await url({ url: UNKNOWN })).toContain("-target");
    const owner = await readData(workspaceOwner, {}, {}, { url: UNKNOWN });
    expect(owner.diagnostics).toEqual([]);
  });
});
