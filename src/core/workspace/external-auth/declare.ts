import { computed, dataSource, ephemeralResource, optional, required, t } from "../../schema";
import { nonBlankRule } from "../grammar/value-rules";

const attributes = {
  id: required(t.string(nonBlankRule), {
    doc: "ID of an external authentication provider that is set up in the deployment.",
  }),
  optional: optional(t.bool(), {
    doc: "Whether users may continue without this login. By default false.",
  }),
  accessToken: computed(t.string(), {
    doc: "Access token of the external service; empty without one.",
    sensitive: true,
  }),
};

/** An external login that users need before they create or update a workspace. */
export const externalAuth = dataSource("workspace_external_auth", {
  doc: "An external login that users need before they create or update a workspace.",
  attributes,
});

/** The access token of the same login, in no plan and no state. */
export const ephemeralExternalAuth = ephemeralResource("workspace_external_auth", {
  doc:
    "The access token of an external login. It is in no plan and in no state, so it can only be used where " +
    "Terraform accepts ephemeral values. Terraform asks for it during the plan, and again during the apply. " +
    "Without a token, a build that starts a workspace fails, unless the login is optional; some platforms " +
    "pass no token during the apply. Users see that they need the login only if there is also a data source.",
  attributes,
});
