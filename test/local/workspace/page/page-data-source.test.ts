import { join } from "node:path";
import {
  type LastBuild,
  StateFolder,
  type WorkspaceRecord,
} from "../../../../src/local/workspace/state/state-folder";
import { PageDataSource } from "../../../../src/local/workspace/page/page-data-source";
import { emptyView } from "../../../../src/local/workspace/view/platform-view";
import { temporaryFolder } from "../temporary-folder";

const record: WorkspaceRecord = {
  name: "dev",
  made: "m",
  owner: "ada",
  isPrebuild: false,
  parameters: { size: "s", key: "key-1234" },
  masked: ["key"],
  task: undefined,
};
const last: LastBuild = {
  transition: "start",
  view: { ...emptyView, dailyCost: 3 },
  secrets: [{ address: "workspace_agent.main", path: ["token"], value: "the-token" }],
};

async function sourceAfter(build: LastBuild | undefined, hasState: boolean) {
  const stateFolder = join(temporaryFolder(), "state");
  const state = new StateFolder(stateFolder);
  await state.saveWorkspace(record);
  await state.saveLastBuild(record.name, build);
  if (hasState) await state.saveState(record.name, "{}");
  return new PageDataSource({ template: ".", stateFolder });
}

it.each([
  ["not built", undefined, false],
  ["failed", undefined, true],
  ["running", last, true],
  ["stopped", { ...last, transition: "stop" as const }, true],
])("a workspace is %s", async (status, build, hasState) => {
  const source = await sourceAfter(build, hasState);
  expect((await source.workspace("dev")).status).toBe(status);
});

it("shows the last build, without the values of masked parameters", async () => {
  const view = await (await sourceAfter(last, true)).workspace("dev");
  expect(view).toMatchObject({
    name: "dev",
    owner: "ada",
    dailyCost: 3,
    parameters: { size: "s" },
    masked: ["key"],
  });
  expect(JSON.stringify(view)).not.toContain("key-1234");
});

it("reveals the secrets that the view refers to, and nothing else", async () => {
  const source = await sourceAfter(last, true);
  const secret = (address: string, ...path: readonly (string | number)[]) =>
    source.secret({ workspace: "dev", address, path });
  expect(await secret("workspace_agent.main", "token")).toBe("the-token");
  await expect(secret("workspace_agent.main", "id")).rejects.toMatchObject({ status: 404 });
  expect(await secret("", "parameters", "key")).toBe("key-1234");
  await expect(secret("", "parameters", "size")).rejects.toMatchObject({ status: 404 });
});
