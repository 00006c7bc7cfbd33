import { movableFrom, type ProviderDefinition } from "../provider-kit";
import { agentInstance } from "./agent-instance/declare";
import { app } from "./app/declare";
import { devcontainer } from "./devcontainer/declare";
import { env } from "./env/declare";
import { externalAgent } from "./external-agent/declare";
import { workspaceProvider } from "./provider/declare";
import { script } from "./script/declare";
import { coderStates } from "./product/coder-names";
import { agentHandlers } from "./agent/handlers";
import { aiTaskHandlers } from "./ai-task/handlers";
import { configure, type Workspace, identityOnly } from "./provider/configure";
import { ephemeralExternalAuthHandlers, externalAuthHandlers } from "./external-auth/handlers";
import { metadataHandlers } from "./metadata/handlers";
import { parameterHandlers } from "./parameter/handlers";
import { presetHandlers } from "./preset/handlers";
import { provisionerHandlers } from "./provisioner/handlers";
import { ephemeralSecretHandlers, secretHandlers } from "./secret/handlers";
import { scriptOrderHandlers } from "./script-order/handlers";
import { tagsHandlers } from "./tags/handlers";
import { taskHandlers } from "./task/handlers";
import { workspaceHandlers } from "./workspace/handlers";
import { workspaceOwnerHandlers } from "./workspace-owner/handlers";

/** The workspace provider: its settings, resources, data sources and ephemeral resources. */
export const provider: ProviderDefinition<typeof workspaceProvider, Workspace> = {
  declaration: workspaceProvider,
  configure,
  // The reference lists them in this order.
  resources: movableFrom(coderStates, [
    agentHandlers,
    identityOnly(agentInstance),
    aiTaskHandlers,
    identityOnly(app),
    identityOnly(devcontainer),
    identityOnly(env),
    identityOnly(externalAgent),
    metadataHandlers,
    identityOnly(script),
  ]),
  dataSources: [
    externalAuthHandlers,
    parameterHandlers,
    provisionerHandlers,
    scriptOrderHandlers,
    secretHandlers,
    taskHandlers,
    workspaceHandlers,
    workspaceOwnerHandlers,
    presetHandlers,
    tagsHandlers,
  ],
  ephemeralResources: [ephemeralExternalAuthHandlers, ephemeralSecretHandlers],
};
