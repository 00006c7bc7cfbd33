import { implementDataSource, known, movableFrom, type ProviderDefinition } from "../provider-kit";
import { agentInstance, externalAgent } from "./agent/declare";
import { app } from "./app/declare";
import { devcontainer } from "./devcontainer/declare";
import { env } from "./env/declare";
import { workspaceProvider } from "./provider/declare";
import { workspacePreset } from "./preset/declare";
import { script } from "./script/declare";
import { scriptOrder } from "./script-order/declare";
import { workspaceTags } from "./workspace/declare";
import { coderStates } from "./product/coder-names";
import { agentHandlers } from "./agent/handlers";
import { aiTaskHandlers, taskHandlers } from "./ai-task/handlers";
import { configure, derivedUuid, identityOnly, type Workspace } from "./provider/configure";
import { metadataHandlers } from "./metadata/handlers";
import { parameterHandlers } from "./parameter/handlers";
import { provisionerHandlers, workspaceHandlers } from "./workspace/handlers";
import {
  ephemeralExternalAuthHandlers,
  ephemeralSecretHandlers,
  externalAuthHandlers,
  secretHandlers,
  workspaceOwnerHandlers,
} from "./workspace-owner/handlers";

// The platform reads these data sources from the state, and they only need an ID.
const presetHandlers = implementDataSource(workspacePreset)<unknown>({
  read: (config) => Promise.resolve(known({ ...config, id: config.name })),
});
const scriptOrderHandlers = implementDataSource(scriptOrder)<unknown>({
  read: (config) =>
    Promise.resolve(
      known({ ...config, id: derivedUuid("script-order", JSON.stringify(config.rules)) }),
    ),
});
const tagsHandlers = implementDataSource(workspaceTags)<unknown>({
  read(config) {
    const pairs = Object.entries(config.tags ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Promise.resolve(known({ ...config, id: derivedUuid("tags", ...pairs.flat()) }));
  },
});

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
