import type { ProviderDefinition } from "../provider-kit";
import { idsProvider } from "./provider/declare";
import { configure, type Ids } from "./provider/configure";
import { endpointHandlers } from "./endpoint/handlers";
import { endpointListHandler } from "./endpoint/list";
import { endpointNameHandler, parseEndpointNameHandler } from "./endpoint-name/handlers";

/** The ids provider: its settings, resources and functions. */
export const provider: ProviderDefinition<typeof idsProvider, Ids> = {
  declaration: idsProvider,
  configure,
  resources: [endpointHandlers],
  listResources: [endpointListHandler],
  functions: [endpointNameHandler, parseEndpointNameHandler],
};
