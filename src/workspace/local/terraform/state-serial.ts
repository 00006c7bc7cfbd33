import { objectOf, parsedJson } from "./json-value";

/** Whether a state is newer than another one, by the serial that Terraform increments on each change. */
export function isNewer(state: string, than: string | undefined): boolean {
  const serial = serialOf(state);
  if (serial === undefined) return false;
  return than === undefined || serial > (serialOf(than) ?? -1);
}

/** Undefined if it is not a state, for example a truncated file. */
function serialOf(state: string): number | undefined {
  const { serial } = objectOf(parsedJson(state));
  return typeof serial === "number" ? serial : undefined;
}
