import type * as zodModule from "./zod";

/** What {@link ValueRule.schema} is given: zod's constructors. */
export type Zod = typeof zodModule;

let loaded: Zod | undefined;

/** Loads zod when the first rule is run: neither a provider's start nor an import pays for it. */
export function zod(): Zod {
  // A static import would be evaluated when the declaration is.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("./zod") as Zod;
  return loaded;
}
