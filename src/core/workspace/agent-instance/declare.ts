import { computed, required, resource, t } from "../../schema";
import { agentId } from "../grammar/value-rules";

/** The virtual machine of an agent that authenticates with an instance identity. */
export const agentInstance = resource("workspace_agent_instance", {
  doc:
    "The virtual machine of an agent that authenticates with an instance identity. " +
    "For several kinds of virtual machines, the platform finds the ID without this resource.",
  attributes: {
    agentId,
    instanceId: required(t.string(), { doc: "ID that the cloud assigns to the virtual machine." }),
    agentInstanceId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});
