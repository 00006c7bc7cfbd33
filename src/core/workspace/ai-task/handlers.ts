import { randomUUID } from "node:crypto";
import { implement, known, UNKNOWN } from "../../provider-kit";
import { aiTask } from "./declare";
import { parseUuid } from "../grammar/value-rules";
import type { Workspace } from "../provider/configure";
import { readTask, taskFacts } from "../task/handlers";

/** Handlers of `workspace_ai_task`. It exists only in the state, where the platform reads it. */
export const aiTaskHandlers = implement(aiTask)<Workspace>({
  plan({ config }, { client }) {
    // Report an invalid task during the plan, not when half of the build has been applied.
    taskFacts(client.environment);
    if (config.appId !== null) return {};
    const { sidebarApp } = config;
    return { appId: sidebarApp === UNKNOWN ? UNKNOWN : appOf(sidebarApp) };
  },

  create(plan, { client }) {
    const { id, enabled, prompt } = taskFacts(client.environment);
    return Promise.resolve(
      known({
        ...plan,
        appId: plan.appId === UNKNOWN ? appOf(plan.sidebarApp) : plan.appId,
        aiTaskId: id === "" ? randomUUID() : id,
        enabled,
        prompt,
      }),
    );
  },

  read(state, { client: { environment } }) {
    const task = environment.isRealBuild ? readTask(environment) : undefined;
    // A malformed task must not prevent the workspace from being deleted.
    if (task?.ok !== true) return Promise.resolve(state);
    const { enabled, prompt } = task.value;
    return Promise.resolve({ ...state, enabled, prompt });
  },

  update(plan, { aiTaskId, enabled, prompt }) {
    const appId = plan.appId === UNKNOWN ? appOf(plan.sidebarApp) : plan.appId;
    return Promise.resolve(known({ ...plan, appId, aiTaskId, enabled, prompt }));
  },

  delete: () => Promise.resolve(),
});

function appOf<Id>(sidebarApp: readonly { readonly id: Id }[]): Id | string | null {
  const id = sidebarApp[0]?.id ?? null;
  return typeof id === "string" ? (parseUuid(id) ?? id) : id;
}
