import type { Identity } from "../../../schema/identity";
import { wireName } from "../../../schema/attribute";
import { wireType } from "../../../schema/wire-schema";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  GetResourceIdentitySchemasRequest,
  providerMethods,
  ResourceIdentitySchemaInit,
} from "../../wire/tfplugin6/tfplugin6";
import type { Call } from "./call";

/** Returns the schema of each identity that a resource declares. Terraform asks for them from 1.12 on. */
export const getResourceIdentitySchemas: Call<
  GetResourceIdentitySchemasRequest,
  ResponseInitOf<typeof providerMethods.getResourceIdentitySchemas>
> = (session) => ({
  identitySchemas: Object.fromEntries(
    Array.from(session.resources).flatMap(({ declaration: { type, identity } }) =>
      identity === undefined ? [] : [[type, identitySchema(identity)]],
    ),
  ),
});

function identitySchema({ version, attributes }: Identity): ResourceIdentitySchemaInit {
  const encoder = new TextEncoder();
  return {
    version,
    identityAttributes: Object.entries(attributes).map(([name, attribute]) => ({
      name: wireName(name, attribute),
      type: encoder.encode(JSON.stringify(wireType(attribute.type))),
      requiredForImport: attribute.presence === "required",
      optionalForImport: attribute.presence === "optional",
      description: attribute.doc,
    })),
  };
}
