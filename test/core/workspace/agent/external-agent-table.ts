import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind, rowsOn } from "../../../accept/row";

const base = { agentId: "1" };
const inputs: Kinds = { agentId: "string" };
const outputs: Kinds = { externalAgentId: "string" };

const { accepts, build } = rowsOn(base);

/** The spec's ExternalAgent. */
export const externalAgent: Noun = {
  kind: "resource",
  typeName: "workspace_external_agent",
  construct: "workspace.ExternalAgent",
  base,
  inputs,
  outputs,
  wire: { externalAgentId: "id" },
  rows: [
    accepts("any agentId", { agentId: "any" }),
    ...rowsByKind({ base, inputs, outputs, required: ["agentId"] }),
  ],
  builds: [build("makes an id", {}, noBuild, { outputs: { externalAgentId: anyUuid } })],
  changes: [{ input: "agentId", from: "1", to: "2", replaces: true }],
};
