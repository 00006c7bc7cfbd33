import { wireSchema } from "../../../schema/wire-schema";
import type { Declaration } from "../../../schema/declaration";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { GetProviderSchemaRequest, providerMethods } from "../../wire/tfplugin6/tfplugin6";
import type { Call } from "./call";
import { schemaMessage } from "../schema-message";
import { serverCapabilities } from "../server-capabilities";

/** The schemas of the settings, the resources and the data sources. */
export const getProviderSchema: Call<
  GetProviderSchemaRequest,
  ResponseInitOf<typeof providerMethods.getProviderSchema>
> = (session) => ({
  provider: schemaMessage(wireSchema(session.definition.declaration)),
  resourceSchemas: schemas(session.resources),
  dataSourceSchemas: schemas(session.dataSources),
  serverCapabilities,
});

function schemas(implementations: Iterable<{ readonly declaration: Declaration }>) {
  return Object.fromEntries(
    Array.from(implementations, ({ declaration }) => [
      declaration.type,
      schemaMessage(wireSchema(declaration)),
    ]),
  );
}
