import type { CallContext, Clock } from "../../../http/call-context";
import { renewedValue, type RenewedValue } from "../../../http/renewed-value";
import { RegistryError } from "./registry-error";

export type Credentials =
  | { readonly kind: "anonymous" }
  | ({ readonly kind: "basic"; readonly username: string; readonly password: string } & Expiring)
  /** Exchanged for a token at the registry's token service. */
  | ({ readonly kind: "identity-token"; readonly token: string } & Expiring)
  /** Sent to the registry unchanged, as a bearer token. */
  | { readonly kind: "registry-token"; readonly token: string };

interface Expiring {
  /** In milliseconds since the epoch. @default not known */
  readonly expiresAt?: number | undefined;
}

export const anonymous: Credentials = { kind: "anonymous" };

export interface CredentialSource {
  /**
   * Finds the credentials for exactly this registry (`index.docker.io`, `registry.example:5000`), in its canonical
   * spelling.
   *
   * @param path the repository in the registry, for sources that distinguish them
   *
   * @returns `anonymous` if the source has an entry without credentials, undefined if it has no entry
   * @throws RegistryError `CREDENTIALS` if the credentials cannot be read
   */
  find(registry: string, context: CallContext, path?: string): Promise<Credentials | undefined>;
}

/** A source with fixed credentials, by the registry's exact name. */
export function givenCredentials(given: Readonly<Record<string, Credentials>>): CredentialSource {
  const known = new Map(Object.entries(given));
  return { find: (registry) => Promise.resolve(known.get(registry)) };
}

/**
 * Combines sources: the first that has an entry for a registry decides. A failure ends the search, because
 * the next source might have the credentials of another account.
 */
export function firstOf(sources: readonly CredentialSource[]): CredentialSource {
  return {
    async find(registry, context, path) {
      for (const source of sources) {
        const found = await source.find(registry, context, path);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

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
  return {
    async find(registry, context, path) {
      const name = JSON.stringify([registry, path]);
      const found =
        known.get(name) ??
        renewedValue<Found, CallContext>({
          async renew(caller) {
            const at = clock.now();
            return { credentials: await source.find(registry, caller, path), at };
          },
          expiresAt: ({ credentials, at }) =>
            Math.min(at + lifetimeMs, expiryOf(credentials) - marginMs),
          now: () => clock.now(),
        });
      known.set(name, found);
      return (await found(context)).credentials;
    },
  };
}

/** Credentials are renewed this long before they expire, so that a request can still use them. */
const marginMs = 60_000;

function expiryOf(credentials: Credentials | undefined): number {
  const hasExpiry = credentials !== undefined && "expiresAt" in credentials;
  return (hasExpiry ? credentials.expiresAt : undefined) ?? Infinity;
}

/** The error for credentials that cannot be used or obtained. */
export function unusable(problem: string, cause?: unknown): RegistryError {
  return new RegistryError("CREDENTIALS", `the registry credentials: ${problem}`, { cause });
}
