import type { Declaration } from "../../../schema/declaration";
import { wireSchema } from "../../../schema/wire-schema";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  GetProviderSchemaRequest,
  providerMethods,
  GetFunctionsRequest,
  GetMetadataRequest,
  ServerCapabilitiesInit,
} from "../../wire/tfplugin6/tfplugin6";
import { functionSignature } from "../function/function-signature";
import { schemaMessage } from "../schema-message";
import type { Session } from "../session";
import type { Call } from "./call";

/** Returns the schemas of the provider's settings and of everything that it offers. */
export const getProviderSchema: Call<
  GetProviderSchemaRequest,
  ResponseInitOf<typeof providerMethods.getProviderSchema>
> = (session) => ({
  provider: schemaMessage(wireSchema(session.definition.declaration)),
  resourceSchemas: schemas(session.resources),
  dataSourceSchemas: schemas(session.dataSources),
  ephemeralResourceSchemas: schemas(session.ephemeralResources),
  listResourceSchemas: schemas(session.listResources),
  actionSchemas: Object.fromEntries(
    Array.from(session.actions, ({ declaration }) => [
      declaration.type,
      { schema: schemaMessage(wireSchema(declaration)) },
    ]),
  ),
  functions: signatures(session),
  ...(session.definition.providerMeta && {
    providerMeta: schemaMessage(wireSchema(session.definition.providerMeta)),
  }),
  serverCapabilities: serverCapabilities(session),
});

/** Returns the signatures of the provider's functions. OpenTofu asks for them separately. */
export const getFunctions: Call<
  GetFunctionsRequest,
  ResponseInitOf<typeof providerMethods.getFunctions>
> = (session) => ({ functions: signatures(session) });

const signatures = <Client>(session: Session<Client>) =>
  Object.fromEntries(
    Array.from(session.functions, ({ declaration }) => [
      declaration.name,
      functionSignature(declaration),
    ]),
  );

function schemas(implementations: Iterable<{ readonly declaration: Declaration }>) {
  return Object.fromEntries(
    Array.from(implementations, ({ declaration }) => [
      declaration.type,
      schemaMessage(wireSchema(declaration)),
    ]),
  );
}

/** Lists what the provider offers, without the schemas. */
export const getMetadata: Call<
  GetMetadataRequest,
  ResponseInitOf<typeof providerMethods.getMetadata>
> = (session) => ({
  serverCapabilities: serverCapabilities(session),
  resources: Array.from(session.resources, ({ declaration }) => ({ typeName: declaration.type })),
  dataSources: Array.from(session.dataSources, ({ declaration }) => ({
    typeName: declaration.type,
  })),
  ephemeralResources: Array.from(session.ephemeralResources, ({ declaration }) => ({
    typeName: declaration.type,
  })),
  listResources: Array.from(session.listResources, ({ declaration }) => ({
    typeName: declaration.type,
  })),
  actions: Array.from(session.actions, ({ declaration }) => ({ typeName: declaration.type })),
  functions: Array.from(session.functions, ({ declaration }) => ({ name: declaration.name })),
});

/**
 * The capabilities that the provider announces.
 *
 * `getProviderSchemaOptional` lets Terraform request the schema once per command instead of once
 * per process. With `moveResourceState`, it asks the provider for moves from other types. With
 * `planDestroy`, it asks before it plans a destruction.
 */
const serverCapabilities = <Client>(session: Session<Client>): ServerCapabilitiesInit => ({
  getProviderSchemaOptional: true,
  moveResourceState: true,
  planDestroy: Array.from(session.resources).some(({ planDestroy }) => planDestroy !== undefined),
});
