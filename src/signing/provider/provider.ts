import type { ProviderDefinition } from "../../provider-kit";
import { signingProvider } from "../declare/provider";
import { attestHandlers } from "./attest";
import { configure, type Signing } from "./configure";
import { copyHandlers } from "./copy";
import { signHandlers } from "./sign";
import { verifyHandlers } from "./verify";

/** The signing provider: its settings, what it manages and what it reads. */
export const provider: ProviderDefinition<typeof signingProvider, Signing> = {
  declaration: signingProvider,
  configure,
  resources: [attestHandlers, copyHandlers, signHandlers],
  dataSources: [verifyHandlers],
};
