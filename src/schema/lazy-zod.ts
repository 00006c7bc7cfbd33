import type * as zodModule from "./zod";

/** Zod's constructors, the argument of {@link ValueRule.schema}. */
export type Zod = typeof zodModule;

let loaded: Zod | undefined;

/** Loads zod when the first rule needs it, so that neither a provider's start nor an import pays for it. */
export function zod(): Zod {
  // A static import would be evaluated when the declaration is.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  loaded ??= require("./zod") as Zod;
  return loaded;
}
