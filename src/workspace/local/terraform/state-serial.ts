import { objectOf, parsedJson } from "./json-value";

/** Whether a state came after another one, by the number that Terraform raises at each change. */
export function isNewer(state: string, than: string | undefined): boolean {
  const serial = serialOf(state);
  if (serial === undefined) return false;
  return than === undefined || serial > (serialOf(than) ?? -1);
}

/** Undefined for what is no state, as a file that was cut off. */
function serialOf(state: string): number | undefined {
  const { serial } = objectOf(parsedJson(state));
  return typeof serial === "number" ? serial : undefined;
}
