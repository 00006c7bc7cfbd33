import { messageOf } from "../../../core/failure/failure";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "../../../core/json/plain-json";
import { objectOf } from "../terraform/json-value";
import { type LocalPlatformError, localPlatformError } from "../terraform/local-platform-error";
import { stateFile } from "../terraform/working-copy";
import { isPlatformName } from "../view/association";
import type { BuildRequest } from "./build-request";
import { prebuildsOwner } from "./placeholder-facts";
import type { StateFolder, WorkspaceRecord } from "./state-folder";

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
  return localPlatformError("REQUEST", message, { advice: cure });
}

/** Saves the state that Terraform has left, if it is complete. */
export async function keepState(state: StateFolder, name: string, work: string): Promise<void> {
  const after = await readFile(join(work, stateFile), "utf8").catch(() => undefined);
  if (after === undefined) return;
  const whole = wholeState(after, work);
  try {
    await state.saveState(name, whole);
  } catch (cause) {
    const reason = messageOf(cause);
    throw localPlatformError(
      "FOLDER",
      `The state could not be saved in ${state.stateFile(name)}: ${reason}.`,
      {
        advice: `It is still in ${work}. Remove the obstacle; the next build continues from there.`,
        cause,
      },
    );
  }
}

/** Saves the state of a killed build, whose Terraform may have continued after the last saved state. */
export async function recoverState(
  state: StateFolder,
  name: string,
  work: string,
): Promise<readonly string[]> {
  const left = await readFile(join(work, stateFile), "utf8").catch(() => undefined);
  if (left === undefined || !isNewer(left, await state.state(name))) return [];
  await state.saveState(name, left);
  return [
    "The previous build ended before its state was saved. Its changes up to that point were recovered.",
  ];
}

/**
 * Checks whether a state is newer than another one, by the serial that Terraform increments on each change.
 */
function isNewer(state: string, than: string | undefined): boolean {
  const serial = serialOf(state);
  if (serial === undefined) return false;
  return than === undefined || serial > (serialOf(than) ?? -1);
}

/**
 * Returns a complete state.
 *
 * @throws LocalPlatformError if the state is incomplete, for example because the disk was full
 */
function wholeState(state: string, folder: string): string {
  if (serialOf(state) !== undefined) return state;
  throw localPlatformError(
    "FOLDER",
    `Terraform left a damaged state in ${folder}. The state before this build is kept.`,
    {
      advice:
        "Free some space on the disk. Terraform may have left a complete state there as errored.tfstate: until the next " +
        "build, you can save it.",
    },
  );
}

function serialOf(state: string): number | undefined {
  const { serial } = objectOf(parsedJson(state));
  return typeof serial === "number" ? serial : undefined;
}
