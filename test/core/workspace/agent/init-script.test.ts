import { UNKNOWN } from "../../../../src/core/schema";
import { agent } from "../../../../src/core/workspace/agent/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import {
  applyIn,
  type Environment,
  planIn,
  readIn,
  refreshed,
  run,
  start,
  startBuild,
} from "../provider/provider";

const box = { os: "linux", arch: "amd64" };
const script = (text: string, target = "linux_amd64"): Environment => ({
  [`TRIVET_AGENT_SCRIPT_${target}`]: text,
});
const withUrl = (url: string): Environment => ({ ...startBuild, TRIVET_AGENT_URL: url });

const first = async (environment: Environment, config: object = box) =>
  (await run(agent, { ...config }, undefined, { environment })).state["initScript"];

describe("the script that starts an agent", () => {
  const template = "curl ${ACCESS_URL}bin/${ARCH} --auth ${AUTH_TYPE} ${ACCESS_URL} $& ${HOME}";

  test("is the platform's, with only its own placeholders replaced", async () => {
    const environment = { ...withUrl("http://workspaces.test:8080/base/?"), ...script(template) };
    const filled =
      "curl http://a.test:8080/bin/${ARCH} --auth token http://a.test:8080/ $& ${HOME}";
    expect(await first({ ...environment, ...withUrl("http://a.test:8080/base/") })).toBe(filled);
  });

  test("contains how the agent authenticates", async () => {
    const config = { ...box, auth: "cloudC-instance-identity" };
    expect(await first(script("${AUTH_TYPE}${AUTH_TYPE}"), config)).toBe(
      "cloudC-instance-identitycloudC-instance-identity",
    );
  });

  test("is that of the agent's system and architecture", async () => {
    const environment = { ...script("a"), ...script("b", "windows_arm64") };
    expect(await first(environment, { os: "windows", arch: "arm64" })).toBe("b");
    expect(await first(environment, { os: "windows", arch: "armv7" })).toBe("");
  });

  test("is empty without a build", async () => {
    expect(await first({})).toBe("");
  });

  test("follows the platform at a refresh", async () => {
    const created = await run(agent, box, undefined, { environment: script("one ${ACCESS_URL}") });
    const environment = { ...withUrl("https://b.test"), ...script("two ${ACCESS_URL}") };
    const { state } = await refreshed(await start(environment), agent, created);
    expect(state).toEqual({ ...created.state, initScript: "two https://b.test/" });
    const next = await run(agent, box, created, { environment });
    expect(next.planned).toEqual(state);
  });

  test("is kept if the platform provides none, or without a refresh", async () => {
    const created = await run(agent, box, undefined, { environment: script("one") });
    expect((await run(agent, box, created)).planned).toEqual(created.state);
    const environment = script("two");
    const { planned } = await run(agent, box, created, { environment, refresh: false });
    expect(planned).toEqual(created.state);
  });

  test("changes when the agent is replaced", async () => {
    const environment = { ...script("x"), ...script("y", "linux_arm64") };
    const created = await run(agent, box, undefined, { environment });
    const replaced = await run(agent, { ...box, arch: "arm64" }, created, { environment });
    expect(replaced.state["initScript"]).toBe("y");
  });
});

describe("while the platform's URL is unknown", () => {
  const settings = { url: UNKNOWN };

  test("an agent can be planned, but not created with a script that needs it", async () => {
    const process = await start(script("${ACCESS_URL}"), settings);
    const plan = await planIn(process, agent, box);
    expect([plan.planned?.["initScript"], plan.diagnostics]).toEqual([UNKNOWN, []]);
    const result = await applyIn(process, agent, plan);
    expect(summaries(result.diagnostics)).toEqual(["ERROR - Provider Setting Not Known Yet"]);
    expect(details(result.diagnostics)).toContain("TRIVET_AGENT_URL");
  });

  test("an existing agent keeps its script", async () => {
    const created = await run(agent, box, undefined, { environment: script("${ACCESS_URL}") });
    const process = await start(script("new ${ACCESS_URL}"), settings);
    const { state, diagnostics } = await readIn(process, agent, created);
    expect([state, diagnostics]).toEqual([created.state, []]);
  });
});
