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
import type { FunctionImplementation } from "../capabilities";
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
export const getProviderSchema: Call<"getProviderSchema"> = (session) => {
  const { definition } = session;
  return {
    provider: schemaMessage(wireSchema(definition.declaration)),
    resourceSchemas: schemas(definition.resources),
    dataSourceSchemas: schemas(definition.dataSources),
    ephemeralResourceSchemas: schemas(definition.ephemeralResources),
    listResourceSchemas: schemas(definition.listResources),
    actionSchemas: Object.fromEntries(
      Object.entries(schemas(definition.actions)).map(([type, schema]) => [type, { schema }]),
    ),
    functions: signatures(definition.functions),
    ...(definition.providerMeta && {
      providerMeta: schemaMessage(wireSchema(definition.providerMeta)),
    }),
    serverCapabilities: serverCapabilities(definition.resources),
  };
};

/** Returns the signatures of the provider's functions. OpenTofu requests them separately. */
export const getFunctions: Call<"getFunctions"> = ({ definition }) => ({
  functions: signatures(definition.functions),
});

const signatures = (functions: readonly FunctionImplementation[] = []) =>
  Object.fromEntries(
    functions.map(({ declaration }) => [declaration.name, functionSignature(declaration)]),
  );

const schemas = (implementations: readonly Declared[] = []) =>
  Object.fromEntries(
    implementations.map(({ declaration }) => [
      declaration.type,
      schemaMessage(wireSchema(declaration)),
    ]),
  );

interface Declared {
  readonly declaration: Declaration;
}

/** Lists everything that the provider provides, without the schemas. */
export const getMetadata: Call<"getMetadata"> = ({ definition }) => ({
  serverCapabilities: serverCapabilities(definition.resources),
  resources: typeNames(definition.resources),
  dataSources: typeNames(definition.dataSources),
  ephemeralResources: typeNames(definition.ephemeralResources),
  listResources: typeNames(definition.listResources),
  actions: typeNames(definition.actions),
  functions: (definition.functions ?? []).map(({ declaration: { name } }) => ({ name })),
});

const typeNames = (implementations: readonly Declared[] = []) =>
  implementations.map(({ declaration: { type } }) => ({ typeName: type }));

/**
 * The capabilities that the provider announces.
 *
 * - `getProviderSchemaOptional`: Terraform may request the schema once per command instead of once per process
 * - `moveResourceState`: Terraform calls the provider for `moved` blocks from other types
 * - `planDestroy`: Terraform calls the provider when it plans a destruction
 */
const serverCapabilities = (
  resources: readonly { readonly planDestroy?: unknown }[],
): ServerCapabilitiesInit => ({
  getProviderSchemaOptional: true,
  moveResourceState: true,
  planDestroy: resources.some(({ planDestroy }) => planDestroy !== undefined),
});

/** Returns the schemas of the resources' identities. Terraform requests them from version 1.12 on. */
export const getResourceIdentitySchemas: Call<"getResourceIdentitySchemas"> = ({ definition }) => ({
  identitySchemas: Object.fromEntries(
    definition.resources.flatMap(({ declaration: { type, identity } }) =>
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

/** Older versions of Terraform ignore the message. */
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
