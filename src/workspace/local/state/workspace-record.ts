import { randomUUID } from "node:crypto";
import type { BuildRequest } from "./build-request";
import { LocalPlatformError } from "../terraform/local-platform-error";
import { prebuildsOwner } from "./placeholder-facts";
import type { WorkspaceRecord } from "./state-folder";

const NAME = /^[a-z0-9](-?[a-z0-9])*$/i;

/**
 * The workspace as this request leaves it; its parameters are known after the plan.
 *
 * @throws LocalPlatformError when the request does not fit the workspace
 */
export function nextRecord(
  before: WorkspaceRecord | undefined,
  request: BuildRequest & { readonly workspace: string },
): WorkspaceRecord {
  const { workspace: name, transition, owner, prebuild = false, claim = false } = request;
  if (!NAME.test(name)) {
    const rule = "letters, digits and single hyphens inside";
    throw refused(`A workspace cannot be called "${name}".`, `Its name may have ${rule}.`);
  }
  if (transition !== "start" && (prebuild || claim)) {
    throw refused(`A ${transition} is neither a prebuild nor a claim.`, "Only a start can be one.");
  }
  if (prebuild && claim) throw refused("A build is a prebuild or a claim.", "Ask for one of them.");
  if (before === undefined) return newRecord(request, { prebuild, claim });
  if (request.taskPrompt !== undefined) {
    throw refused(`There is a workspace "${name}" already.`, "Only a new one can get a task.");
  }
  if (prebuild && !before.isPrebuild) {
    throw refused(`The workspace "${name}" is not new.`, "Build one ahead with another name.");
  }
  if (claim && !before.isPrebuild) {
    throw refused(`The workspace "${name}" has an owner already.`, "Start it instead.");
  }
  if (before.isPrebuild && transition === "start" && !prebuild && !claim) {
    throw refused(`Nobody has claimed the workspace "${name}" yet.`, "Claim it instead.");
  }
  if (!before.isPrebuild && owner !== undefined && owner !== before.owner) {
    throw refused(
      `The workspace "${name}" belongs to "${before.owner}".`,
      "Leave the owner out, or choose another workspace.",
    );
  }
  return {
    ...before,
    owner: claim ? (owner ?? "dev") : before.owner,
    isPrebuild: before.isPrebuild && !claim,
  };
}

function newRecord(
  { workspace: name, transition, owner, taskPrompt }: BuildRequest & { readonly workspace: string },
  { prebuild, claim }: { readonly prebuild: boolean; readonly claim: boolean },
): WorkspaceRecord {
  if (transition === "stop" || claim) {
    const way = claim ? "Build it ahead first." : "Start it first.";
    throw refused(`There is no workspace "${name}".`, way);
  }
  return {
    name,
    made: randomUUID(),
    owner: prebuild ? prebuildsOwner : (owner ?? "dev"),
    isPrebuild: prebuild,
    parameters: {},
    task: taskPrompt === undefined ? undefined : { id: randomUUID(), prompt: taskPrompt },
  };
}

function refused(message: string, cure: string): LocalPlatformError {
  return new LocalPlatformError("REQUEST", message, cure);
}
