import { computed, dataSource, t } from "../../schema";

/** The AI task that a build belongs to. */
export const task = dataSource("workspace_task", {
  doc:
    "The AI task that the build belongs to, if any. coder has deprecated tasks as of version 2.34 " +
    "([migration](https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration)).",
  attributes: {
    id: computed(t.string(), {
      doc: "ID of the task (a UUID); empty without one.",
    }),
    enabled: computed(t.bool(), { doc: "Whether the build belongs to a task." }),
    prompt: computed(t.string(), { doc: "Prompt of the task; empty without one." }),
  },
});
