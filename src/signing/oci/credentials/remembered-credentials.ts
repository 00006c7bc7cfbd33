import type { CallContext } from "../../../http/call-context";
import type { Clock } from "../../../http/clock";
import { renewedValue, type RenewedValue } from "../../../http/renewed-value";
import type { Credentials, CredentialSource } from "./credentials";
import { interrupted } from "../protocol/refusal";

const lifetimeMs = 30 * 60_000;

interface Found {
  readonly credentials: Credentials | undefined;
  readonly at: number;
}

/** Caches the credentials of each registry for half an hour. Failures are not cached. */
export function rememberedCredentials(source: CredentialSource, clock: Clock): CredentialSource {
  const known = new Map<string, RenewedValue<Found, CallContext>>();
  const ofRegistry = (registry: string): RenewedValue<Found, CallContext> =>
    renewedValue({
      async renew(context) {
        const at = clock.now();
        return { credentials: await source.find(registry, context), at };
      },
      expiresAt: ({ at }) => at + lifetimeMs,
      now: () => clock.now(),
      interrupted,
    });
  return {
    async find(registry, context) {
      const found = known.get(registry) ?? ofRegistry(registry);
      known.set(registry, found);
      return (await found(context)).credentials;
    },
  };
}
