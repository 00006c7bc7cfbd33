import type { ProviderDefinition } from "../provider-kit";
import { idsProvider } from "./provider/declare";
import { configure, type Ids } from "./provider/configure";
import { endpointHandlers } from "./endpoint/handlers";

/** The ids provider: its settings and its resources. */
export const provider: ProviderDefinition<typeof idsProvider, Ids> = {
  declaration: idsProvider,
  configure,
  resources: [endpointHandlers],
};
