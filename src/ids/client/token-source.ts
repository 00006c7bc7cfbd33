import { ApiError } from "./api-error";
import { systemClock, type Clock } from "../../http/clock";
import type { Credentials } from "./credentials";
import { failureMessage } from "../../http/failure";
import { lazyTransport } from "../../http/lazy-transport";
import { renewedValue } from "../../http/renewed-value";
import { serverMessage } from "../../http/server-message";
import type { Transport } from "../../http/transport";

/** Where the client gets its bearer token from. */
export interface TokenSource {
  /**
   * A token that is valid for some time yet.
   *
   * `rejected` is one that the server just refused: it is forgotten, and the same token comes back
   * only when there is no other to be had.
   */
  token(options: {
    readonly signal: AbortSignal;
    readonly rejected?: string | undefined;
  }): Promise<string>;
}

export const cloudPlatformScope = "https://www.googleapis.com/auth/cloud-platform";

const renewBeforeExpiryMs = 5 * 60_000;

/** A token that somebody else made; it cannot be renewed. */
export function staticToken(accessToken: string): TokenSource {
  return { token: () => Promise.resolve(accessToken) };
}

/**
 * Tokens made from credentials, each kept until five minutes before it expires.
 *
 * A service account signs its own (RS256, with the scope): no token endpoint is asked. A user's
 * refresh token is exchanged at Google's token endpoint, through `transport`.
 */
export function credentialsToken(
  credentials: Credentials,
  settings: { readonly transport?: Transport | undefined; readonly clock?: Clock | undefined } = {},
): TokenSource {
  const { transport = lazyTransport(), clock = systemClock } = settings;
  const minted = renewedValue({
    async renew({ signal }: { readonly signal: AbortSignal }) {
      const { mintToken } = await import("./google-credentials.js");
      return mintToken(credentials, { scope: cloudPlatformScope, transport, signal });
    },
    expiresAt: ({ expiresAt }) => expiresAt,
    marginMs: renewBeforeExpiryMs,
    now: () => clock.now(),
  });
  return {
    async token({ signal, rejected }) {
      try {
        return (await minted({ signal }, ({ token }) => token === rejected)).token;
      } catch (failure) {
        if (signal.aborted) throw failure;
        throw credentialsError(failure);
      }
    },
  };
}

// The library's errors carry the request they failed with, secrets included: no cause is kept.
function credentialsError(failure: unknown): ApiError {
  const words = serverMessage(failureMessage(failure));
  return new ApiError({
    code: "CREDENTIALS",
    message: `the credentials gave no access token: ${words}`,
  });
}
