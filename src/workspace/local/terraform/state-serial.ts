import { LocalPlatformError } from "./local-platform-error";
import { objectOf } from "./json-value";
import { parsedJson } from "../../../json/plain-json";

/**
 * Checks whether a state is newer than another one, by the serial that Terraform increments on each change.
 */
export function isNewer(state: string, than: string | undefined): boolean {
  const serial = serialOf(state);
  if (serial === undefined) return false;
  return than === undefined || serial > (serialOf(than) ?? -1);
}

/**
 * Returns a complete state.
 *
 * @throws LocalPlatformError if the state is incomplete, for example because the disk was full
 */
export function wholeState(state: string, folder: string): string {
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
