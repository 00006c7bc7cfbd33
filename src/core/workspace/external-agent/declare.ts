import { computed, resource, t } from "../../schema";
import { agentId } from "../grammar/value-rules";

/** Marks an agent as running on a machine that the template does not create. */
export const externalAgent = resource("workspace_external_agent", {
  doc:
    "Marks an agent as running on a machine that the template does not create. Needs a premium licence " +
    "of the platform.",
  attributes: {
    agentId,
    externalAgentId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});
