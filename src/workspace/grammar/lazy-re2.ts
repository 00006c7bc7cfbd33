import type * as re2Module from "./re2";

let loaded: typeof re2Module | undefined;

/** Loads the engine when the first pattern is compiled: a start without patterns does not pay for it. */
export function re2(): typeof re2Module {
  // A static import would be evaluated when the declaration is.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("./re2") as typeof re2Module;
  return loaded;
}
