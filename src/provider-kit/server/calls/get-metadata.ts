import type { Call } from "./call";
import type { GetMetadataRequest } from "../../wire/tfplugin6/tfplugin6";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods } from "../../wire/tfplugin6/tfplugin6";
import { serverCapabilities } from "../server-capabilities";

/** Lists what the provider has, without the schemas. */
export const getMetadata: Call<
  GetMetadataRequest,
  ResponseInitOf<typeof providerMethods.getMetadata>
> = (session) => ({
  serverCapabilities,
  resources: Array.from(session.resources, ({ declaration }) => ({ typeName: declaration.type })),
  dataSources: Array.from(session.dataSources, ({ declaration }) => ({
    typeName: declaration.type,
  })),
});
