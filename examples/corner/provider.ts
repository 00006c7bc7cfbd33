import { type ProviderDefinition, optional, provider, t } from "@trivet/provider-kit";
import { modifyFile } from "./action";
import { computedValues } from "./computed";
import { dataSources, largeNumber } from "./data-sources";
import { deferrals, deferEverything } from "./deferrals";
import { functions } from "./functions";
import { lifecycle, type Leases } from "./lifecycle";
import { identities, listed } from "./identities";
import { numbers } from "./numbers";
import { schema, schemaEphemeral } from "./schema";
import { type Users, users } from "./users";
import { values } from "./values";
import { writeOnly } from "./write-only";

const declaration = provider("corner", {
  doc: "The corner cases of a provider.",
  attributes: {
    deferral: optional(t.bool(), { doc: "Defers everything, if Terraform can defer." }),
  },
});

/** What the handlers share: a service in memory. */
export interface Corner extends Leases, Users {}

/**
 * The provider, with a new service.
 *
 * @param version the version of `corner_writeonly_upgrade`
 */
export function corner(
  version: 0 | 1 = 0,
  service: Corner = { users: new Map(), renewed: 0, closed: 0 },
): ProviderDefinition<typeof declaration, Corner> {
  return {
    declaration,
    configure({ deferral }) {
      if (deferral === true) deferEverything();
      return service;
    },
    resources: [
      schema,
      largeNumber,
      ...numbers,
      ...values,
      ...computedValues,
      ...writeOnly(version),
      ...identities,
      ...deferrals,
      users,
    ],
    dataSources,
    ephemeralResources: [schemaEphemeral, lifecycle],
    listResources: [listed],
    actions: [modifyFile],
    functions,
  };
}
