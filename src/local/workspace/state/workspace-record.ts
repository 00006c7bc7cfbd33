import { randomUUID } from "node:crypto";
import type { BuildRequest } from "./build-request";
import { LocalPlatformError } from "../terraform/local-platform-error";
import { isPlatformName } from "../view/association";
import { prebuildsOwner } from "./placeholder-facts";
import type { WorkspaceRecord } from "./state-folder";

/**
 * Returns the workspace's record after this request. Its parameters are known only after the plan.
 *
 * @throws LocalPlatformError if the workspace does not allow the request
 */
export function nextRecord(
  before: WorkspaceRecord | undefined,
  request: BuildRequest & { readonly workspace: string },
): WorkspaceRecord {
  const { workspace: name, transition, owner, prebuild = false, claim = false } = request;
  if (!isPlatformName(name)) {
    const rule = "must consist of letters, digits and single hyphens";
    throw refused(
      `"${name}" is not a valid name for a workspace.`,
      `The name ${rule}, with no hyphen at the start or end.`,
    );
  }
  if (transition !== "start" && (prebuild || claim)) {
    throw refused(
      `A ${transition} cannot be a prebuild or a claim.`,
      "Use start for prebuilds and claims.",
    );
  }
  if (prebuild && claim) {
    throw refused("A build cannot be both a prebuild and a claim.", "Request one of them.");
  }
  if (before === undefined) return newRecord(request, { prebuild, claim });
  if (request.taskPrompt !== undefined) {
    throw refused(
      `The workspace "${name}" already exists.`,
      "Only a new workspace can be created for a task.",
    );
  }
  if (prebuild && !before.isPrebuild) {
    throw refused(`The workspace "${name}" already exists.`, "Prebuild one with another name.");
  }
  if (claim && !before.isPrebuild) {
    throw refused(`The workspace "${name}" already has an owner.`, "Start it instead.");
  }
  if (before.isPrebuild && transition === "start" && !prebuild && !claim) {
    throw refused(`The workspace "${name}" has not been claimed yet.`, "Claim it instead.");
  }
  if (!before.isPrebuild && owner !== undefined && owner !== before.owner) {
    throw refused(
      `The workspace "${name}" belongs to "${before.owner}".`,
      "Omit the owner, or choose another workspace.",
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
    const remedy = claim ? "Prebuild it first." : "Start it first.";
    throw refused(`The workspace "${name}" does not exist.`, remedy);
  }
  return {
    name,
    made: randomUUID(),
    owner: prebuild ? prebuildsOwner : (owner ?? "dev"),
    isPrebuild: prebuild,
    parameters: {},
    masked: [],
    task: taskPrompt === undefined ? undefined : { id: randomUUID(), prompt: taskPrompt },
  };
}

function refused(message: string, cure: string): LocalPlatformError {
  return new LocalPlatformError("REQUEST", message, cure);
}
