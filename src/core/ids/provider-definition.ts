import { movableFrom, type ProviderDefinition } from "../provider-kit";
import { idsProvider } from "./provider/declare";
import { configure, type Ids } from "./provider/configure";
import { endpointHandlers } from "./endpoint/handlers";
import { endpointListHandler } from "./endpoint/list";
import { endpointNameHandler, parseEndpointNameHandler } from "./endpoint-name/handlers";

/** Google's provider, where an endpoint's `name` is its ID. */
export const googleStates = {
  sources: ["hashicorp/google", "hashicorp/google-beta"],
  typePrefix: "google_cloud_ids",
  versions: [0],
  names: { ids_endpoint: { endpoint_id: "name", name: "id" } },
};

/** The ids provider: its settings, resources and functions. */
export const provider: ProviderDefinition<typeof idsProvider, Ids> = {
  declaration: idsProvider,
  configure,
  resources: movableFrom(googleStates, [endpointHandlers]),
  listResources: [endpointListHandler],
  functions: [endpointNameHandler, parseEndpointNameHandler],
};
