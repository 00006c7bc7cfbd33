import type { ProviderDefinition } from "../../provider-kit";
import { agentInstance } from "../declare/agent-instance";
import { app } from "../declare/app";
import { devcontainer } from "../declare/devcontainer";
import { env } from "../declare/env";
import { externalAgent } from "../declare/external-agent";
import { workspaceProvider } from "../declare/provider";
import { script } from "../declare/script";
import { agentHandlers } from "./agent";
import { aiTaskHandlers } from "./ai-task";
import { configure, type Workspace } from "./configure";
import { externalAuthHandlers } from "./external-auth";
import { identityOnly } from "./identity";
import { metadataHandlers } from "./metadata";
import { parameterHandlers } from "./parameter";
import { presetHandlers } from "./preset";
import { provisionerHandlers } from "./provisioner";
import { secretHandlers } from "./secret";
import { tagsHandlers } from "./tags";
import { taskHandlers } from "./task";
import { workspaceHandlers } from "./workspace";
import { workspaceOwnerHandlers } from "./workspace-owner";

/** The workspace provider: its setting, what it manages and what it reads. */
export const provider: ProviderDefinition<typeof workspaceProvider, Workspace> = {
  declaration: workspaceProvider,
  configure,
  // In the order in which the reference shows them.
  resources: [
    agentHandlers,
    identityOnly(agentInstance),
    aiTaskHandlers,
    identityOnly(app),
    identityOnly(devcontainer),
    identityOnly(env),
    identityOnly(externalAgent),
    metadataHandlers,
    identityOnly(script),
  ],
  dataSources: [
    externalAuthHandlers,
    parameterHandlers,
    provisionerHandlers,
    secretHandlers,
    taskHandlers,
    workspaceHandlers,
    workspaceOwnerHandlers,
    presetHandlers,
    tagsHandlers,
  ],
};
