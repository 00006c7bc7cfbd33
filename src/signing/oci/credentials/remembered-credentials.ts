import type { Clock } from "../../../http/clock";
import type { Credentials, CredentialSource } from "./credentials";

const lifetimeMs = 30 * 60_000;

/** Asks the source once for each registry, and again after half an hour or after a failure. */
export function rememberedCredentials(source: CredentialSource, clock: Clock): CredentialSource {
  const known = new Map<
    string,
    { readonly found: Promise<Credentials | undefined>; readonly until: number }
  >();
  return {
    find(registry, context) {
      const entry = known.get(registry);
      if (entry !== undefined && entry.until > clock.now()) return entry.found;
      const found = source.find(registry, context);
      known.set(registry, { found, until: clock.now() + lifetimeMs });
      found.catch(() => known.delete(registry));
      return found;
    },
  };
}
