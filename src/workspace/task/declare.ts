import { computed, dataSource, t } from "../../schema";

/** The AI task in which a build runs. */
export const task = dataSource("workspace_task", {
  doc: "The AI task in which the build runs, if there is one.",
  attributes: {
    id: computed(t.string(), {
      doc: "ID of the task (a UUID); empty without one.",
    }),
    enabled: computed(t.bool(), { doc: "Whether the build runs in a task." }),
    prompt: computed(t.string(), { doc: "Prompt of the task; empty without one." }),
  },
});
