import { UNKNOWN } from "../../../../src/core/schema";
import { agent } from "../../../../src/core/workspace/agent/declare";
import {
  applyIn,
  build,
  type Environment,
  type Kept,
  planIn,
  refreshed,
  run,
  runningToken,
  start,
  startBuild,
  stopBuild,
} from "../provider/provider";

const box = { os: "linux", arch: "amd64" };
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const sole = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

const first = (environment: Environment = startBuild) =>
  run(agent, box, undefined, { environment });

const again = (
  kept: Kept,
  environment: Environment,
  {
    config = box,
    ...options
  }: { config?: object; refresh?: boolean; appliedIn?: Environment } = {},
) => run(agent, { ...box, ...config }, kept, { environment, ...options });

describe("a token is created", () => {
  test("at random when an agent is created", async () => {
    const one = await first();
    const two = await first();
    expect(one.planned).toMatchObject({ agentId: UNKNOWN, token: UNKNOWN, initScript: UNKNOWN });
    expect(one.state["token"]).toMatch(uuid);
    expect(one.state["token"]).not.toEqual(two.state["token"]);
    expect(one.state["token"]).not.toEqual(one.state["agentId"]);
  });

  test.each(["token", "cloudA-instance-identity"])("with any authentication: %s", async (auth) => {
    expect((await run(agent, { ...box, auth })).state["token"]).toMatch(uuid);
  });

  test("from the token of the only running agent", async () => {
    const { state } = await first({ ...startBuild, ...runningToken("", sole) });
    expect(state["token"]).toBe(sole);
  });

  test("at random when that token is empty", async () => {
    const { state } = await first({ ...startBuild, ...runningToken("", "") });
    expect(state["token"]).toMatch(uuid);
  });

  test("at random for the second agent, because no two agents share a token", async () => {
    const process = await start({ ...startBuild, ...runningToken("", sole) });
    const tokens = [];
    for (const config of [box, { ...box, os: "darwin" }]) {
      const plan = await planIn(process, agent, config);
      const { state } = await applyIn(process, agent, plan);
      tokens.push(state?.["token"]);
    }
    expect(tokens).toEqual([sole, expect.stringMatching(uuid)]);
    expect(tokens[1]).not.toBe(sole);
  });

  test("from the environment in which a saved plan is applied", async () => {
    const appliedIn = { ...startBuild, ...runningToken("", sole) };
    const { state } = await run(agent, box, undefined, { environment: startBuild, appliedIn });
    expect(state["token"]).toBe(sole);
  });
});

describe("a token is kept", () => {
  test.each<[string, Environment]>([
    ["outside a build", {}],
    ["at a second plan of the build", startBuild],
    ["at the next start", build("b2")],
    ["when a workspace that runs is started again", build("b3")],
    [
      "while the workspace is deleted",
      build("b2", { ...stopBuild, TRIVET_WORKSPACE_TRANSITION: "destroy" }),
    ],
    ["when it stops without a build id", { TRIVET_WORKSPACE_TRANSITION: "stop" }],
    ["when the sole running token is another's", { ...build("b2"), ...runningToken("", other) }],
    ["when there is another agent's token", { ...build("b2"), ...runningToken("x", other) }],
  ])("%s", async (_name, environment) => {
    const before = await first();
    const kept = await refreshed(await start(environment), agent, before);
    expect(kept.state).toEqual(before.state);
    for (const refresh of [true, false]) {
      const { planned } = await again(before, environment, { refresh });
      expect(planned).toEqual(before.state);
    }
  });

  test("when the agent is changed in place", async () => {
    const before = await first();
    const { planned, state, replaces } = await again(before, build("b2"), {
      config: { env: { USER: "ann" }, startupScript: "true", order: 3 },
    });
    expect(replaces).toEqual([]);
    expect(planned).toMatchObject({ token: before.state["token"] });
    expect(state).toMatchObject({
      agentId: before.state["agentId"],
      token: before.state["token"],
      env: { USER: "ann" },
    });
  });

  test("when a prebuild with two agents is claimed, although the owner's values change", async () => {
    const prebuild = { ...startBuild, TRIVET_WORKSPACE_IS_PREBUILD: "true" };
    const agents = [await first(prebuild), await first(prebuild)];
    const claim = {
      ...build("b2"),
      TRIVET_WORKSPACE_IS_PREBUILD_CLAIM: "true",
      ...Object.assign(
        {},
        ...agents.map(({ state }) =>
          runningToken(String(state["agentId"]), String(state["token"])),
        ),
      ),
    } as Environment;
    for (const before of agents) {
      const claimed = await again(before, claim, { config: { env: { OWNER: "ann" } } });
      expect(claimed.planned).toMatchObject({
        token: before.state["token"],
        env: { OWNER: "ann" },
      });
      expect(claimed.state["token"]).toBe(before.state["token"]);
    }
  });
});

describe("the token of a running agent is adopted", () => {
  const running = ({ state }: Kept, token = other) => runningToken(String(state["agentId"]), token);

  test.each([true, false])("during the plan (refresh: %s)", async (refresh) => {
    const before = await first();
    const environment = { ...build("b2"), ...running(before) };
    const change = await again(before, environment, { refresh });
    expect(change.refreshed?.["token"]).toBe(before.state["token"]);
    expect(change.planned).toEqual({ ...before.state, token: other });
    expect(change.state).toEqual({ ...before.state, token: other });
    expect((await again(change, environment)).planned).toEqual(change.state);
  });

  test("in a plan that is applied by another process", async () => {
    const before = await first();
    const environment = { ...build("b2"), ...running(before) };
    const { state } = await again(before, environment, { appliedIn: environment });
    expect(state["token"]).toBe(other);
  });

  test("unless it is empty", async () => {
    const before = await first();
    const { planned } = await again(before, { ...build("b2"), ...running(before, "") });
    expect(planned).toEqual(before.state);
  });

  test("not while the workspace stops: it then gets a new one", async () => {
    const before = await first();
    const environment = { ...build("b2", stopBuild), ...running(before) };
    const stopped = await again(before, environment);
    expect(stopped.planned["token"]).toBe(UNKNOWN);
    expect(stopped.state["token"]).not.toBe(other);
    expect((await again(stopped, environment)).planned).toEqual(stopped.state);
  });
});

describe("a build that stops the workspace", () => {
  test("creates a new token, which the next start uses", async () => {
    const started = await first();
    const stopped = await again(started, build("b2", stopBuild));
    expect(stopped.planned).toEqual({ ...started.state, token: UNKNOWN });
    expect(stopped.state["token"]).toMatch(uuid);
    expect(stopped.state).toEqual({ ...started.state, token: stopped.state["token"] });
    expect(stopped.state["token"]).not.toBe(started.state["token"]);
    expect((await again(stopped, build("b3"))).planned).toEqual(stopped.state);
  });

  test.each([true, false])("creates only one (refresh: %s)", async (refresh) => {
    const environment = build("b2", stopBuild);
    const stopped = await again(await first(), environment);
    const repeated = await again(stopped, environment, { refresh });
    expect(repeated.planned).toEqual(stopped.state);
    const later = await again(repeated, build("b3", stopBuild));
    expect(later.planned["token"]).toBe(UNKNOWN);
  });

  test("plans the same twice before it is applied", async () => {
    const before = await first();
    const process = await start(build("b2", stopBuild));
    const one = await planIn(process, agent, box, before);
    const two = await planIn(process, agent, box, before);
    expect(one.planned?.["token"]).toBe(UNKNOWN);
    expect(two).toEqual(one);
  });

  test("creates one without a refresh, and in a plan that another process applies", async () => {
    const before = await first();
    const environment = build("b2", stopBuild);
    const options = { refresh: false, appliedIn: environment };
    const stopped = await again(before, environment, options);
    expect(stopped.state["token"]).not.toBe(before.state["token"]);
    expect((await again(stopped, environment)).planned).toEqual(stopped.state);
  });

  test("creates none when its plan is applied without build data", async () => {
    const before = await first();
    const stopped = await again(before, build("b2", stopBuild), { appliedIn: {} });
    expect(stopped.state).toEqual(before.state);
  });

  test("creates no second one for an agent that it created itself", async () => {
    const environment = build("b2", stopBuild);
    const created = await first({ ...environment, ...runningToken("", sole) });
    expect(created.state["token"]).not.toBe(sole);
    expect((await again(created, environment)).planned).toEqual(created.state);
  });
});

describe("an agent that is replaced", () => {
  test.each([
    ["os", { os: "darwin" }],
    ["arch", { arch: "arm64" }],
    ["auth", { auth: "cloudB-instance-identity" }],
  ])("because of its %s gets another ID and another token", async (name, config) => {
    const before = await first();
    const after = await again(before, build("b2"), { config });
    expect(after.replaces).toEqual([name]);
    expect(after.planned).toMatchObject({ agentId: UNKNOWN, token: UNKNOWN });
    expect(after.state["agentId"]).not.toBe(before.state["agentId"]);
    expect(after.state["token"]).not.toBe(before.state["token"]);
  });

  test("keeps the token of the only running agent", async () => {
    const before = await first();
    const token = String(before.state["token"]);
    const environment = { ...build("b2"), ...runningToken("", token) };
    const after = await again(before, environment, { config: { arch: "arm64" } });
    expect(after.state["token"]).toBe(token);
  });

  test("by a build that stops the workspace creates one token, not two", async () => {
    const environment = build("b2", stopBuild);
    const config = { arch: "arm64" };
    const after = await again(await first(), environment, { config });
    expect((await again(after, environment, { config })).planned).toEqual(after.state);
  });
});

test("no token is in the log or in the diagnostics", async () => {
  const environment = { ...startBuild, ...runningToken("", sole), TF_LOG: "TRACE" };
  const process = await start(environment);
  const plan = await planIn(process, agent, box);
  const { state, diagnostics } = await applyIn(process, agent, plan);
  expect(state?.["token"]).toBe(sole);
  expect(process.log.join("") + JSON.stringify(diagnostics)).not.toContain(sole);
});
