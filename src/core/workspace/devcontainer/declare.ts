import { computed, optional, required, resource, t } from "../../schema";
import { agentId, nonBlankRule } from "../grammar/value-rules";

/** A dev container that an agent starts. */
export const devcontainer = resource("workspace_devcontainer", {
  doc:
    "A dev container that the agent starts. It runs its own agent inside. Needs version 2.21 of the " +
    "platform.",
  attributes: {
    agentId,
    workspaceFolder: required(t.string(nonBlankRule), {
      doc: "Folder in the workspace that contains the dev container's configuration.",
    }),
    configPath: optional(t.string(), {
      doc: "Path of the dev container's configuration file. By default the agent searches the folder.",
    }),
    devcontainerId: computed(t.string(), {
      doc: "ID of the resource.",
      wire: "id",
      useStateForUnknown: true,
    }),
    subagentId: computed(t.string(), {
      doc: "ID of the agent inside the dev container.",
      useStateForUnknown: true,
    }),
  },
});
