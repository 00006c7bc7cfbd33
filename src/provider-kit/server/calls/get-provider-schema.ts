import type { Declaration } from "../../../schema/declaration";
import { wireSchema } from "../../../schema/wire-schema";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  GetProviderSchemaRequest,
  providerMethods,
  GetMetadataRequest,
  ServerCapabilitiesInit,
} from "../../wire/tfplugin6/tfplugin6";
import { schemaMessage } from "../schema-message";
import type { Call } from "./call";

/** Returns the schemas of the provider's settings, resources and data sources. */
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

/** Lists the provider's resources and data sources, without their schemas. */
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

/**
 * The capabilities that the provider announces.
 *
 * `getProviderSchemaOptional` lets Terraform request the schema once per command instead of once
 * per process.
 */
export const serverCapabilities: ServerCapabilitiesInit = { getProviderSchemaOptional: true };
