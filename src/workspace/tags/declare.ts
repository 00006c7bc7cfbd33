import { computed, dataSource, optional, t } from "../../schema";

/** Tags that choose where builds run. */
export const workspaceTags = dataSource("workspace_workspace_tags", {
  doc:
    "Tags that choose the provisioners which may run builds of the workspace. Their values may be " +
    "literals, variables and parameters only.",
  attributes: {
    tags: optional(t.map(t.string()), { doc: "Values by the tags' names." }),
    id: computed(t.string(), { doc: "ID of the data source, made from the tags." }),
  },
});
