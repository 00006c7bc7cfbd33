import { required, t } from "../../schema";

/** The attribute that attaches a resource to its agent. */
export const agentId = required(t.string(), {
  doc: "ID of the agent. It must be a direct reference to the agent: the platform follows it.",
  requiresReplace: true,
});
