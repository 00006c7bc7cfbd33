import { computed, dataSource, optional, t } from "../../schema";

/** Tags that select the provisioners that may run builds of the workspace. */
export const workspaceTags = dataSource("workspace_workspace_tags", {
  doc:
    "Tags that select the provisioners that may run builds of the workspace. Their values may contain " +
    "only literals, variables and parameters.",
  attributes: {
    tags: optional(t.map(t.string()), { doc: "Values by tag name." }),
    id: computed(t.string(), { doc: "ID of the data source, derived from the tags." }),
  },
});
