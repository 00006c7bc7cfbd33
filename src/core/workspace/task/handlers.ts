import { implementDataSource, ProviderError } from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import type { Reading } from "../build/owner-facts";
import { task } from "./declare";
import { isZeroUuid, parseUuid } from "../grammar/value-rules";
import type { Workspace } from "../provider/configure";

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
export function readTask({ task: { id, prompt }, variables }: BuildEnvironment): Reading<Task> {
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
export function taskFacts(environment: BuildEnvironment): Task {
  const read = readTask(environment);
  if (read.ok) return read.value;
  throw new ProviderError({ summary: "Invalid Task", detail: read.problem });
}
