import type { CallContext } from "../../../http/call-context";
import type { Clock } from "../../../http/clock";
import { renewedValue, type RenewedValue } from "../../../http/renewed-value";
import type { Credentials, CredentialSource } from "./credentials";
import { interrupted } from "../protocol/refusal";

const defaultLifetimeMs = 30 * 60_000;

interface Found {
  readonly credentials: Credentials | undefined;
  readonly at: number;
}

/** Caches the credentials of each repository, by default for half an hour. Failures are not cached. */
export function rememberedCredentials(
  source: CredentialSource,
  clock: Clock,
  lifetimeMs = defaultLifetimeMs,
): CredentialSource {
  const known = new Map<string, RenewedValue<Found, CallContext>>();
  const valueOf = (registry: string, path?: string): RenewedValue<Found, CallContext> =>
    renewedValue({
      async renew(context) {
        const at = clock.now();
        return { credentials: await source.find(registry, context, path), at };
      },
      expiresAt: ({ credentials, at }) =>
        Math.min(at + lifetimeMs, expiryOf(credentials) - marginMs),
      now: () => clock.now(),
      interrupted,
    });
  return {
    async find(registry, context, path) {
      const name = JSON.stringify([registry, path]);
      const found = known.get(name) ?? valueOf(registry, path);
      known.set(name, found);
      return (await found(context)).credentials;
    },
  };
}

/** A minute earlier, so that a request can still use them. */
const marginMs = 60_000;

function expiryOf(credentials: Credentials | undefined): number {
  const hasExpiry = credentials !== undefined && "expiresAt" in credentials;
  return (hasExpiry ? credentials.expiresAt : undefined) ?? Infinity;
}
