import {
  block,
  computed,
  dataSource,
  exactlyOneOf,
  required,
  optionalComputed,
  resource,
  t,
} from "../../schema";
import { uuidRule } from "../grammar/value-rules";

/** The app that shows an AI task. */
export const aiTask = resource("workspace_ai_task", {
  doc:
    "Lets workspaces of the template run AI tasks, and selects the app that shows a task. coder has deprecated " +
    "tasks as of version 2.34 ([migration](https://coder.com/docs/ai-coder/agents/tasks-to-chats-migration)).",
  attributes: {
    appId: optionalComputed(t.string(uuidRule), {
      doc: "ID of the app (a UUID) that shows the task. By default that of `sidebar_app`.",
    }),
    aiTaskId: computed(t.string(), {
      doc: "ID of the task; a random ID outside a task.",
      wire: "id",
      useStateForUnknown: true,
    }),
    enabled: computed(t.bool(), {
      doc: "Whether the build belongs to a task.",
      useStateForUnknown: true,
    }),
    prompt: computed(t.string(), {
      doc: "Prompt of the task; empty without one. Needs version 2.28 of the platform.",
      useStateForUnknown: true,
    }),
  },
  blocks: {
    sidebarApp: block.set(
      { attributes: { id: required(t.string(uuidRule), { doc: "ID of the app." }) } },
      {
        doc: "App that is shown in the sidebar.",
        max: 1,
        deprecated: (label) => `use \`${label("appId")}\` instead`,
      },
    ),
  },
  rules: [exactlyOneOf("appId", "sidebarApp")],
});

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
