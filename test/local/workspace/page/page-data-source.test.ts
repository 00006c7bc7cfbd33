import type {
  LastBuild,
  WorkspaceRecord,
} from "../../../../src/local/workspace/state/state-folder";
import { revealed, workspaceView } from "../../../../src/local/workspace/page/page-data-source";
import { emptyView } from "../../../../src/local/workspace/view/platform-view";

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

it.each([
  ["not built", undefined, false],
  ["failed", undefined, true],
  ["running", last, true],
  ["stopped", { ...last, transition: "stop" as const }, true],
])("a workspace is %s", (status, build, hasState) => {
  expect(workspaceView({ record, last: build, hasState }).status).toBe(status);
});

it("shows the last build, without the values of masked parameters", () => {
  const view = workspaceView({ record, last, hasState: true });
  expect(view).toMatchObject({
    name: "dev",
    owner: "ada",
    dailyCost: 3,
    parameters: { size: "s" },
    masked: ["key"],
  });
  expect(JSON.stringify(view)).not.toContain("key-1234");
});

it("reveals the secrets that the view refers to, and nothing else", () => {
  const reveal = (address: string, ...path: readonly (string | number)[]) =>
    revealed({ record, last, hasState: true }, { address, path });
  expect(reveal("workspace_agent.main", "token")).toBe("the-token");
  expect(reveal("workspace_agent.main", "id")).toBeUndefined();
  expect(reveal("", "parameters", "key")).toBe("key-1234");
  expect(reveal("", "parameters", "size")).toBeUndefined();
});
