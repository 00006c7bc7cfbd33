import { implementDataSource, ProviderError } from "../../provider-kit";
import type { BuildEnvironment } from "../build/build-environment";
import type { Reading } from "../build/reading";
import { task } from "./declare";
import { isZeroUuid, parseUuid } from "../grammar/uuid";
import type { Workspace } from "../provider/configure";

/** How the AI task of a build is read. */
export const taskHandlers = implementDataSource(task)<Workspace>({
  read: (_config, { client }) => Promise.resolve(taskFacts(client.environment)),
});

/** The task in which a build runs. */
export interface Task {
  /** A UUID; empty outside a task. */
  readonly id: string;
  readonly enabled: boolean;
  readonly prompt: string;
}

/** Outside a task the platform writes nothing, or a UUID of zeros. */
export function readTask({ task: { id, prompt }, variables }: BuildEnvironment): Reading<Task> {
  const uuid = id === "" ? "" : parseUuid(id);
  if (uuid === undefined) {
    return { ok: false, problem: `${variables.taskId} must hold a UUID, or be empty.` };
  }
  const enabled = uuid !== "" && !isZeroUuid(uuid);
  return { ok: true, value: { id: enabled ? uuid : "", enabled, prompt } };
}

/** @throws ProviderError when the platform names a task that cannot be one */
export function taskFacts(environment: BuildEnvironment): Task {
  const read = readTask(environment);
  if (read.ok) return read.value;
  throw new ProviderError({ summary: "Invalid Task", detail: read.problem });
}
