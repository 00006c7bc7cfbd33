import { movableFrom, type ProviderDefinition } from "../provider-kit";
import { signingProvider } from "./provider/declare";
import { attestHandlers } from "./attest/handlers";
import { configure, type Signing } from "./provider/configure";
import { attestListHandler, signListHandler } from "./list/handlers";
import { copyHandlers } from "./copy/handlers";
import { parseReferenceHandler } from "./reference/handlers";
import { signHandlers } from "./sign/handlers";
import { verifyHandlers } from "./verify/handlers";

/** The provider of cosign, whose resources have the same names. */
export const cosignStates = {
  sources: ["chainguard-dev/cosign"],
  typePrefix: "cosign",
  versions: [0],
};

/** The signing provider: its settings, resources, data sources and functions. */
export const provider: ProviderDefinition<typeof signingProvider, Signing> = {
  declaration: signingProvider,
  configure,
  resources: movableFrom(cosignStates, [attestHandlers, copyHandlers, signHandlers]),
  listResources: [attestListHandler, signListHandler],
  dataSources: [verifyHandlers],
  functions: [parseReferenceHandler],
};
