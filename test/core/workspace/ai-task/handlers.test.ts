import { UNKNOWN } from "../../../../src/core/schema";
import { aiTask } from "../../../../src/core/workspace/ai-task/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import {
  type Environment,
  planIn,
  readIn,
  run,
  start,
  startBuild,
  validate,
} from "../provider/provider";

const appId = "c0ffee00-1234-4abc-8def-000000000001";
const otherApp = "c0ffee00-1234-4abc-8def-000000000002";
const id = "0f0e0d0c-0b0a-4908-8706-050403020100";
const inTask = {
  ...startBuild,
  TRIVET_TASK_ID: `{${id.toUpperCase()}}`,
  TRIVET_TASK_PROMPT: "Go.",
};
const create = (environment: Environment = {}, config: object = { appId }) =>
  run(aiTask, { ...config }, undefined, { environment });

describe("an AI task", () => {
  test("has the task's ID and prompt", async () => {
    const { planned, state } = await create(inTask);
    expect(planned).toMatchObject({ aiTaskId: UNKNOWN, enabled: UNKNOWN, prompt: UNKNOWN });
    expect(state).toEqual({ appId, sidebarApp: [], aiTaskId: id, enabled: true, prompt: "Go." });
  });

  test.each<[string, Environment]>([
    ["no task", {}],
    ["a task of zeros", { TRIVET_TASK_ID: "00000000-0000-0000-0000-000000000000" }],
  ])("has a random ID in %s", async (_name, environment) => {
    const { state } = await create(environment);
    expect(state).toMatchObject({ enabled: false, prompt: "" });
    expect(state["aiTaskId"]).toMatch(/^[\da-f-]{36}$/);
    expect(state["aiTaskId"]).not.toMatch(/^0{8}/);
  });

  test("reads a task on refresh in a real build, and keeps its ID", async () => {
    const created = await create();
    const process = await start(inTask);
    const { state } = await readIn(process, aiTask, { state: created.state });
    expect(state).toEqual({ ...created.state, enabled: true, prompt: "Go." });
    const { planned } = await planIn(
      process,
      aiTask,
      { appId },
      { ...created, state: state ?? {} },
    );
    expect(planned).toEqual(state);
  });

  test.each<[string, Environment]>([
    ["there is no build", { TRIVET_TASK_ID: id }],
    ["the task is malformed", { ...startBuild, TRIVET_TASK_ID: "x" }],
  ])("is unchanged by a refresh while %s", async (_name, environment) => {
    const created = await create(inTask);
    const { state, diagnostics } = await readIn(await start(environment), aiTask, {
      state: created.state,
    });
    expect([state, diagnostics]).toEqual([created.state, []]);
  });

  test("of a malformed task is refused during the plan", async () => {
    const { diagnostics } = await planIn(await start({ TRIVET_TASK_ID: "x" }), aiTask, { appId });
    expect(summaries(diagnostics)).toEqual(["ERROR - Invalid Task"]);
    expect(details(diagnostics)).toContain("TRIVET_TASK_ID");
  });
});

describe("the app of an AI task", () => {
  const sidebar = (app: unknown) => ({ sidebarApp: [{ id: app }] });

  test("is taken from the deprecated block", async () => {
    const { planned, state } = await create({}, sidebar(appId.toUpperCase()));
    expect(planned).toMatchObject({ appId });
    expect(state).toMatchObject({ appId, sidebarApp: [{ id: appId.toUpperCase() }] });
    const again = await run(aiTask, sidebar(appId.toUpperCase()), {
      state,
      private: new Uint8Array(),
    });
    expect(again.planned).toEqual(state);
    const diagnostics = await validate(aiTask, sidebar(appId));
    expect(summaries(diagnostics)).toEqual(["WARNING sidebar_app Deprecated Attribute"]);
    expect(details(diagnostics)).toContain("use `app_id` instead");
  });

  test.each<[string, object, object, string]>([
    ["the block names another", sidebar(appId), sidebar(otherApp), otherApp],
    ["the block is removed", sidebar(appId), { appId: otherApp }, otherApp],
    ["the block comes", { appId }, sidebar(otherApp), otherApp],
    ["the same is named otherwise", sidebar(appId), { appId }, appId],
  ])("changes in place when %s", async (_name, from, to, expected) => {
    const created = await create({}, from);
    const changed = await run(aiTask, { ...to }, created);
    expect(changed.replaces).toEqual([]);
    expect(changed.planned).toMatchObject({ appId: expected, aiTaskId: created.state["aiTaskId"] });
    expect(changed.state["appId"]).toBe(expected);
    expect((await run(aiTask, { ...to }, changed)).planned).toEqual(changed.state);
  });

  test.each<[string, object]>([
    ["is set", { appId: UNKNOWN }],
    ["is in the block", sidebar(UNKNOWN)],
    ["is in a block that may be missing", { sidebarApp: UNKNOWN }],
  ])("may be unknown during the plan when it %s", async (_name, config) => {
    const { planned, diagnostics } = await planIn(await start(), aiTask, { ...config });
    expect([planned?.["appId"], diagnostics]).toEqual([UNKNOWN, []]);
  });

  test.each<[object, string[]]>([
    [{}, ["ERROR app_id Conflicting Attributes"]],
    [{ appId, ...sidebar(appId) }, ["ERROR sidebar_app Conflicting Attributes"]],
    [{ appId: "x" }, ["ERROR app_id Invalid Attribute Value"]],
  ])("is checked during validation: %j", async (config, expected) => {
    const errors = (await validate(aiTask, { ...config })).filter(
      ({ severity }) => severity === "ERROR",
    );
    expect(summaries(errors)).toEqual(expected);
  });
});
