import { agent } from "./agent";
import { agentInstance } from "./agent-instance";
import { aiTask } from "./ai-task";
import { app } from "./app";
import { dataExternalAuth } from "./data-external-auth";
import { dataParameter } from "./data-parameter";
import { dataProvisioner } from "./data-provisioner";
import { dataSecret } from "./data-secret";
import { dataTask } from "./data-task";
import { dataWorkspace } from "./data-workspace";
import { dataWorkspaceOwner } from "./data-workspace-owner";
import { dataWorkspacePreset } from "./data-workspace-preset";
import { dataWorkspaceTags } from "./data-workspace-tags";
import { devcontainer } from "./devcontainer";
import { env } from "./env";
import { externalAgent } from "./external-agent";
import { metadata } from "./metadata";
import type { Noun } from "./noun";
import { provider } from "./provider";
import { script } from "./script";

export { type Args, type Kind, type Kinds, type Noun, wireNameIn } from "./noun";

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
  dataSecret,
  dataTask,
  dataWorkspace,
  dataWorkspaceOwner,
  dataWorkspacePreset,
  dataWorkspaceTags,
  provider,
];
