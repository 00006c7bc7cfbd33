import type { ProviderDefinition } from "../../provider-kit";
import { idsProvider } from "../declare/provider";
import { configure, type Ids } from "./configure";
import { endpointHandlers } from "./endpoint";

/** The ids provider: its settings and what it manages. */
export const provider: ProviderDefinition<typeof idsProvider, Ids> = {
  declaration: idsProvider,
  configure,
  resources: [endpointHandlers],
};
