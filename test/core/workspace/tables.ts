import { agent } from "./agent/table";
import { agentInstance } from "./agent/agent-instance-table";
import { aiTask } from "./ai-task/table";
import { app } from "./app/table";
import { dataExternalAuth } from "./workspace-owner/external-auth-table";
import { dataParameter } from "./parameter/table";
import { dataProvisioner } from "./workspace/provisioner-table";
import { dataScriptOrder } from "./script-order/table";
import { dataSecret } from "./workspace-owner/secret-table";
import { dataTask } from "./ai-task/task-table";
import { dataWorkspace } from "./workspace/table";
import { dataWorkspaceOwner } from "./workspace-owner/table";
import { dataWorkspacePreset } from "./preset/table";
import { dataWorkspaceTags } from "./workspace/tags-table";
import { devcontainer } from "./devcontainer/table";
import { env } from "./env/table";
import { externalAgent } from "./agent/external-agent-table";
import { metadata } from "./metadata/table";
import type { Noun } from "../../accept/noun";
import { provider } from "./provider/table";
import { script } from "./script/table";

export { type Args, type Kind, type Kinds, type Noun, wireNameIn } from "../../accept/noun";

/** The spec's resources, data sources and settings of the workspace provider. */
export const nouns: readonly Noun[] = [
  agent,
  agentInstance,
  aiTask,
  app,
  devcontainer,
  env,
  externalAgent,
  metadata,
  script,
  dataExternalAuth,
  dataParameter,
  dataProvisioner,
  dataScriptOrder,
  dataSecret,
  dataTask,
  dataWorkspace,
  dataWorkspaceOwner,
  dataWorkspacePreset,
  dataWorkspaceTags,
  provider,
];
