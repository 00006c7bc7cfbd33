import { required, t } from "../../schema";

/** The attribute that attaches a resource to its agent. */
export const agentId = required(t.string(), {
  doc: "ID of the agent. It must refer directly to the agent's `id`: the platform follows this reference.",
  requiresReplace: true,
});
