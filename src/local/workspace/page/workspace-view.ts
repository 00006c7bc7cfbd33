import { isDeepStrictEqual } from "node:util";
import { ownValue } from "../../../core/json/plain-json";
import type { LastBuild, WorkspaceRecord } from "../state/state-folder";
import { emptyView } from "../view/platform-view";
import type { SecretReference } from "../view/seen";
import type { WorkspaceStatus, WorkspaceSummary, WorkspaceView } from "./page-data";

/** What the folder for state knows about a workspace. */
export interface KeptWorkspace {
  readonly record: WorkspaceRecord;
  readonly last: LastBuild | undefined;
  /** True if a build has left resources, even if it failed. */
  readonly hasState: boolean;
}

export function workspaceView(kept: KeptWorkspace): WorkspaceView {
  const { record, last } = kept;
  const { agents, droppedAgents, resources, dailyCost } = last?.view ?? emptyView;
  return {
    ...workspaceSummary(kept),
    parameters: Object.fromEntries(
      Object.entries(record.parameters).filter(([name]) => !record.masked.includes(name)),
    ),
    masked: Object.keys(maskedValues(record)),
    taskPrompt: record.task?.prompt,
    agents,
    droppedAgents,
    resources,
    dailyCost,
  };
}

/** The values of masked parameters in the last build, by name. */
export const maskedValues = ({
  parameters,
  masked,
}: WorkspaceRecord): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => masked.includes(name)));

/** The part of {@link workspaceView} that the list of workspaces shows. */
export function workspaceSummary(kept: KeptWorkspace): WorkspaceSummary {
  const { name, owner, isPrebuild } = kept.record;
  return { name, owner, isPrebuild, status: statusOf(kept) };
}

function statusOf({ last, hasState }: KeptWorkspace): WorkspaceStatus {
  if (last !== undefined) return last.transition === "start" ? "running" : "stopped";
  return hasState ? "failed" : "not built";
}

/** Returns the value of a secret that a view refers to; undefined if the view has no such secret. */
export function revealed(
  { record, last }: KeptWorkspace,
  { address, path }: SecretReference,
): string | undefined {
  if (address === "") return ownValue(maskedValues(record), String(path[1]));
  return last?.secrets.find((one) => one.address === address && isDeepStrictEqual(one.path, path))
    ?.value;
}
