import { computed, required, resource, t } from "../../schema";
import { agentId } from "../template/agent-id";

/** The virtual machine on which an agent runs. */
export const agentInstance = resource("workspace_agent_instance", {
  doc:
    "Says on which virtual machine an agent runs that proves who it is with an instance identity. " +
    "For several kinds of virtual machines the platform finds out by itself.",
  attributes: {
    agentId,
    instanceId: required(t.string(), { doc: "ID that the cloud gives the virtual machine." }),
    agentInstanceId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
  },
});
