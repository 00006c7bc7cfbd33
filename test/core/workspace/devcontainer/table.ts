import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, rowsByKind, rowsOn } from "../../../accept/row";

const base = { agentId: "1", workspaceFolder: "/work" };
const inputs: Kinds = { agentId: "string", workspaceFolder: "string", configPath: "string" };
const outputs: Kinds = { devcontainerId: "string", subagentId: "string" };

const { accepts, refuses, build } = rowsOn(base);

/** The spec's Devcontainer. */
export const devcontainer: Noun = {
  kind: "resource",
  typeName: "workspace_devcontainer",
  construct: "workspace.Devcontainer",
  base,
  inputs,
  outputs,
  wire: { devcontainerId: "id" },
  rows: [
    accepts("a folder with a configuration file", {
      configPath: ".devcontainer/devcontainer.json",
    }),
    accepts("a relative folder", { workspaceFolder: "work" }),
    refuses("an empty folder", { workspaceFolder: "" }, invalid("workspaceFolder")),
    refuses("a blank folder", { workspaceFolder: " " }, invalid("workspaceFolder")),
    accepts("an empty configPath", { configPath: "" }),
    ...rowsByKind({ base, inputs, outputs, required: ["agentId", "workspaceFolder"] }),
  ],
  builds: [
    build("creates two ids", {}, noBuild, {
      outputs: { devcontainerId: anyUuid, subagentId: anyUuid },
    }),
  ],
  changes: [
    { input: "agentId", from: "1", to: "2", replaces: true },
    { input: "workspaceFolder", from: "/a", to: "/b", replaces: false },
    { input: "configPath", from: "/a.json", to: undefined, replaces: false },
  ],
};
