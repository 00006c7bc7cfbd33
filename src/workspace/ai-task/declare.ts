import {
  block,
  computed,
  exactlyOneOf,
  required,
  optionalComputed,
  resource,
  t,
} from "../../schema";
import { uuidRule } from "../grammar/uuid";

/** The app that is the user interface of an AI task. */
export const aiTask = resource("workspace_ai_task", {
  doc: "Makes workspaces of the template able to run AI tasks, and says in which app a task is shown.",
  attributes: {
    appId: optionalComputed(t.string(uuidRule), {
      doc: "ID of the app that shows the task. By default that of `sidebarApp`.",
    }),
    aiTaskId: computed(t.string(), {
      doc: "ID of the task; outside a task one that was made up.",
      wire: "id",
      useStateForUnknown: true,
    }),
    enabled: computed(t.bool(), {
      doc: "Whether the build runs in a task.",
      useStateForUnknown: true,
    }),
    prompt: computed(t.string(), {
      doc: "Prompt of the task; empty without one. The platform gives it from version 2.28 on.",
      useStateForUnknown: true,
    }),
  },
  blocks: {
    sidebarApp: block.set(
      { attributes: { id: required(t.string(uuidRule), { doc: "ID of the app." }) } },
      { doc: "App that is shown in the sidebar.", max: 1, deprecated: "use `appId` instead" },
    ),
  },
  rules: [exactlyOneOf("appId", "sidebarApp")],
});
