import type { PrivateState } from "../../provider-kit";
import { parseWritten, type Written } from "../run/written";

const key = "written";

/** What of ours is in the registry, as it was noted; undefined when nothing was. */
export function noted(privateState: PrivateState): Written | undefined {
  const text = privateState.get(key);
  return text === undefined ? undefined : parseWritten(JSON.parse(text));
}

/** Notes what of ours is in the registry, so that it is missed when it is gone. */
export function note(privateState: PrivateState, written: Written | undefined): void {
  if (written === undefined) privateState.delete(key);
  else privateState.set(key, JSON.stringify(written));
}
