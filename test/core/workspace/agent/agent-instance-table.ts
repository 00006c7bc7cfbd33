import type { Kinds, Noun } from "../../../accept/noun";
import { anyUuid, noBuild } from "../environment";
import { rowsByKind, rowsOn } from "../../../accept/row";

const base = { agentId: "1", instanceId: "i-1" };
const inputs: Kinds = { agentId: "string", instanceId: "string" };
const outputs: Kinds = { agentInstanceId: "string" };

const { accepts, build } = rowsOn(base);

/** The spec's AgentInstance. */
export const agentInstance: Noun = {
  kind: "resource",
  typeName: "workspace_agent_instance",
  construct: "workspace.AgentInstance",
  base,
  inputs,
  outputs,
  wire: { agentInstanceId: "id" },
  rows: [
    accepts("any ids", { agentId: "any", instanceId: "i-0abc/def" }),
    ...rowsByKind({ base, inputs, outputs, required: ["agentId", "instanceId"] }),
  ],
  builds: [build("makes an id", {}, noBuild, { outputs: { agentInstanceId: anyUuid } })],
  changes: [
    { input: "agentId", from: "1", to: "2", replaces: true },
    { input: "instanceId", from: "i-1", to: "i-2", replaces: false },
  ],
};
