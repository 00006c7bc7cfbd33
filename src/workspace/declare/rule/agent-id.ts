import { required, t } from "../../../schema";

/** What ties a resource to its agent. */
export const agentId = required(t.string(), {
  doc: "ID of the agent, directly from its `agentId`: the platform follows this reference.",
  replace: true,
});
