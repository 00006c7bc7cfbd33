import { computed, resource, t } from "../../schema";
import { agentId } from "../template/agent-id";

/** An agent that runs outside of what the template creates. */
export const externalAgent = resource("workspace_external_agent", {
  doc:
    "Says that an agent runs on a machine that the template does not create. Needs a premium licence of " +
    "the platform.",
  attributes: {
    agentId,
    externalAgentId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});
