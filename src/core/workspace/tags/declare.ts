import { computed, dataSource, optional, t } from "../../schema";

/** Tags that select the provisioners that may run builds of the workspace. */
export const workspaceTags = dataSource("workspace_workspace_tags", {
  doc:
    "Tags that select the provisioners that may run builds of the workspace. Their values may contain " +
    "only what the platform knows before it runs Terraform: literals, variables, locals, parameters and " +
    "the owner.",
  attributes: {
    tags: optional(t.map(t.string()), {
      doc:
        "Values by tag name. They may contain only literals, variables, locals, the values of parameters, and " +
        "the owner if its data source is called `me`.",
    }),
    id: computed(t.string(), { doc: "ID of the data source, derived from the tags." }),
  },
});
