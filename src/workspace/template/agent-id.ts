import { required, t } from "../../schema";

/** What ties a resource to its agent. */
export const agentId = required(t.string(), {
  doc: "ID of the agent, taken from its `agentId` directly: the platform follows this reference.",
  requiresReplace: true,
});
