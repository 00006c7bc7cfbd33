import { computed, dataSource, optional, required, t } from "../../schema";
import { nonBlankRule } from "../grammar/text";

/** A login at another service, which users need before they create a workspace. */
export const externalAuth = dataSource("workspace_external_auth", {
  doc: "Has users log in at an external service before they create or update a workspace.",
  attributes: {
    id: required(t.string(nonBlankRule), {
      doc: "ID of an external authentication provider that the deployment has.",
    }),
    optional: optional(t.bool(), {
      doc: "Whether users may go on without having logged in there. By default false.",
    }),
    accessToken: computed(t.string(), {
      doc: "Access token of the external service; empty without one.",
      sensitive: true,
    }),
  },
});
