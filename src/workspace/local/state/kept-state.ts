import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LocalPlatformError } from "../terraform/local-platform-error";
import { stateFile } from "../terraform/state-backend";
import { isNewer, wholeState } from "../terraform/state-serial";
import type { StateFolder } from "./state-folder";

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
