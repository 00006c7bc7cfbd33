import { wireName } from "../../../schema/attribute";
import type { Declaration, Identity } from "../../../schema/declaration";
import type { FunctionDeclaration, Parameter } from "../../../schema/function";
import type { Type } from "../../../schema/type";
import {
  type WireAttribute,
  type WireBlock,
  type WireNestedBlock,
  type WireNesting,
  wireSchema,
  type WireSchema,
  wireType,
} from "../../../schema/wire-schema";
import type { Session } from "../session";
import type { Call } from "./call";
import type {
  AttributeInit,
  BlockInit,
  FunctionParameterInit,
  FunctionSignatureInit,
  NestedBlockInit,
  ResourceIdentitySchemaInit,
  SchemaInit,
} from "../../wire/tfplugin6/tfplugin6-schema";
import type { ServerCapabilitiesInit } from "../../wire/tfplugin6/tfplugin6-value";

/** Returns the schemas of the provider's settings, resources and everything else that it provides. */
export const getProviderSchema: Call<"getProviderSchema"> = (session) => ({
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
export const getFunctions: Call<"getFunctions"> = (session) => ({ functions: signatures(session) });

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

/** Lists the resources, data sources and functions of the provider, without their schemas. */
export const getMetadata: Call<"getMetadata"> = (session) => ({
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

/** Returns the schema of each identity that a resource declares. Terraform asks for them from 1.12 on. */
export const getResourceIdentitySchemas: Call<"getResourceIdentitySchemas"> = (session) => ({
  identitySchemas: Object.fromEntries(
    Array.from(session.resources).flatMap(({ declaration: { type, identity } }) =>
      identity === undefined ? [] : [[type, identitySchema(identity)]],
    ),
  ),
});

function identitySchema({ version, attributes }: Identity): ResourceIdentitySchemaInit {
  return {
    version,
    identityAttributes: Object.entries(attributes).map(([name, attribute]) => ({
      name: wireName(name, attribute),
      type: encodeType(attribute.type),
      requiredForImport: attribute.presence === "required",
      optionalForImport: attribute.presence === "optional",
      description: attribute.doc,
    })),
  };
}

const nestings = {
  single: "SINGLE",
  list: "LIST",
  set: "SET",
  map: "MAP",
} as const satisfies Record<WireNesting, string>;

const encoder = new TextEncoder();

function schemaMessage({ version, block }: WireSchema): SchemaInit {
  return { version, block: blockMessage(block) };
}

function blockMessage(block: WireBlock): BlockInit {
  return {
    attributes: block.attributes.map(attributeMessage),
    blockTypes: block.blocks.map(nestedBlockMessage),
    description: block.description,
    descriptionKind: "MARKDOWN",
    ...deprecation(block.deprecated),
  };
}

/** Older versions of Terraform ignore the text. */
const deprecation = (text: string | undefined) => ({
  deprecated: text !== undefined,
  ...(text !== undefined && { deprecationMessage: text }),
});

function nestedBlockMessage(nested: WireNestedBlock): NestedBlockInit {
  return {
    typeName: nested.name,
    block: blockMessage(nested.block),
    nesting: nestings[nested.nesting],
    minItems: nested.minItems,
    maxItems: nested.maxItems,
  };
}

function attributeMessage(attribute: WireAttribute): AttributeInit {
  const { type, nested, name, description, required, optional, computed } = attribute;
  return {
    name,
    description,
    required,
    optional,
    computed,
    sensitive: attribute.sensitive,
    writeOnly: attribute.writeOnly,
    ...deprecation(attribute.deprecated),
    descriptionKind: "MARKDOWN",
    ...(type !== undefined && { type: encoder.encode(JSON.stringify(type)) }),
    ...(nested !== undefined && {
      nestedType: {
        nesting: nestings[nested.nesting],
        attributes: nested.attributes.map(attributeMessage),
      },
    }),
  };
}

/** Converts a declared function to the protocol's message. */
function functionSignature(declaration: FunctionDeclaration): FunctionSignatureInit {
  const { parameters, returns, summary, doc, deprecated } = declaration;
  const all = Object.entries(parameters);
  const last = all.find(([, { isVariadic }]) => isVariadic);
  return {
    parameters: all.filter((each) => each !== last).map(([name, each]) => message(name, each)),
    ...(last && { variadicParameter: message(...last) }),
    return: { type: encodeType(returns) },
    summary,
    description: doc,
    descriptionKind: "MARKDOWN",
    ...(deprecated !== undefined && { deprecationMessage: deprecated }),
  };
}

function message(name: string, parameter: Parameter): FunctionParameterInit {
  const { type, doc, allowNull, allowUnknown } = parameter;
  return {
    name: wireName(name, parameter),
    type: encodeType(type),
    allowNullValue: allowNull === true,
    allowUnknownValues: allowUnknown === true,
    description: doc,
    descriptionKind: "MARKDOWN",
  };
}

const encodeType = (type: Type): Uint8Array => encoder.encode(JSON.stringify(wireType(type)));
