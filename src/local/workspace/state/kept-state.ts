import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LocalPlatformError } from "../terraform/local-platform-error";
import { stateFile } from "../terraform/state-backend";
import type { StateFolder } from "./state-folder";
import { objectOf } from "../terraform/json-value";
import { parsedJson } from "../../../core/json/plain-json";

/** Saves the state that Terraform has left, if it is complete. */
export async function keepState(state: StateFolder, name: string, work: string): Promise<void> {
  const after = await readFile(join(work, stateFile), "utf8").catch(() => undefined);
  if (after === undefined) return;
  const whole = wholeState(after, work);
  try {
    await state.saveState(name, whole);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LocalPlatformError(
      "FOLDER",
      `The state could not be saved in ${state.stateFile(name)}: ${reason}.`,
      `It is still in ${work}. Remove the obstacle; the next build continues from there.`,
      { cause },
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
  throw new LocalPlatformError(
    "FOLDER",
    `Terraform left a damaged state in ${folder}. The state before this build is kept.`,
    "Free some space on the disk. Terraform may have left a complete state there as errored.tfstate: until the next " +
      "build, you can save it.",
  );
}

/** Returns undefined if the text is not a state, for example a truncated file. */
function serialOf(state: string): number | undefined {
  const { serial } = objectOf(parsedJson(state));
  return typeof serial === "number" ? serial : undefined;
}
