import { computed, dataSource, optional, required, t } from "../../schema";
import { nonBlankRule } from "../grammar/text";

/** An external login that users need before they create or update a workspace. */
export const externalAuth = dataSource("workspace_external_auth", {
  doc: "An external login that users need before they create or update a workspace.",
  attributes: {
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
  },
});
