import { agentBuilds, agentChanges } from "./table-builds";
import { memory, monitoringRows } from "./table-monitoring";
import { agentRows, load } from "./table-rows";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind } from "../../../accept/row";

const base = { os: "linux", arch: "amd64" };

const inputs: Kinds = {
  os: "enum",
  arch: "enum",
  auth: "enum",
  apiKeyScope: "enum",
  connectionTimeout: "number",
  dir: "string",
  displayApps: {
    block: {
      editor: "bool",
      editorInsiders: "bool",
      webTerminal: "bool",
      sshHelper: "bool",
      portForwardingHelper: "bool",
    },
  },
  env: "map",
  metadatas: {
    blocks: {
      key: "string",
      displayName: "string",
      script: "string",
      interval: "number",
      timeout: "number",
      order: "number",
    },
  },
  motdFile: "string",
  order: "number",
  resourcesMonitoring: {
    block: {
      memory: { block: { enabled: "bool", threshold: "number" } },
      volumes: { blocks: { path: "string", enabled: "bool", threshold: "number" } },
    },
  },
  startupScript: "string",
  startupScriptBehavior: "enum",
  shutdownScript: "string",
  troubleshootingUrl: "string",
};

const outputs: Kinds = { agentId: "string", initScript: "string", token: "string" };

/** The spec's Agent. */
export const agent: Noun = {
  kind: "resource",
  typeName: "workspace_agent",
  construct: "workspace.Agent",
  base,
  inputs,
  outputs,
  wire: { agentId: "id", metadatas: "metadata", volumes: "volume" },
  rows: [
    ...agentRows,
    ...monitoringRows,
    ...rowsByKind({
      base,
      inputs,
      outputs,
      required: ["os", "arch"],
      samples: {
        displayApps: { editor: true },
        metadatas: load,
        resourcesMonitoring: { memory },
      },
    }),
  ],
  builds: agentBuilds,
  changes: agentChanges,
};
