import { randomUUID } from "node:crypto";
import { implement, implementDataSource, known, ProviderError, UNKNOWN } from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import type { Reading } from "../build/owner-facts";
import { aiTask, task } from "./declare";
import { isZeroUuid, parseUuid } from "../grammar/value-rules";
import type { Workspace } from "../provider/configure";

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

/** Handlers of `workspace_task`: reads the AI task from the build data. */
export const taskHandlers = implementDataSource(task)<Workspace>({
  read: (_config, { client }) => Promise.resolve(taskFacts(client.environment)),
});

interface Task {
  /** A UUID; empty outside a task. */
  readonly id: string;
  readonly enabled: boolean;
  readonly prompt: string;
}

/** Reads the task. Outside a task, the platform sets no ID or the nil UUID. */
function readTask({ task: { id, prompt }, variables }: BuildEnvironment): Reading<Task> {
  const uuid = id === "" ? "" : parseUuid(id);
  if (uuid === undefined) {
    return { ok: false, problem: `${variables.taskId} must contain a UUID, or be empty.` };
  }
  const enabled = uuid !== "" && !isZeroUuid(uuid);
  return { ok: true, value: { id: enabled ? uuid : "", enabled, prompt } };
}

/**
 * Returns the task that a build belongs to.
 *
 * @throws ProviderError if the task's ID is not a UUID
 */
function taskFacts(environment: BuildEnvironment): Task {
  const read = readTask(environment);
  if (read.ok) return read.value;
  throw new ProviderError({ summary: "Invalid Task", detail: read.problem });
}
