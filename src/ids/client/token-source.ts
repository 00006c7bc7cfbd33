import { ApiError } from "./api-error";
import { systemClock, type Clock } from "../../http/clock";
import type { Credentials } from "./credentials";
import { failureMessage } from "../../http/failure";
import { lazyTransport } from "../../http/lazy-transport";
import { renewedValue } from "../../http/renewed-value";
import { serverMessage } from "../../http/server-message";
import type { Transport } from "../../http/transport";

/** The source of the client's bearer tokens. */
export interface TokenSource {
  /**
   * Returns a token that remains valid for some time.
   *
   * `rejected` is a token that the server has just refused. It is discarded, and returned again
   * only if no other token can be obtained.
   */
  token(options: {
    readonly signal: AbortSignal;
    readonly rejected?: string | undefined;
  }): Promise<string>;
}

/** The OAuth 2.0 scope of the API. */
export const cloudPlatformScope = "https://www.googleapis.com/auth/cloud-platform";

const renewBeforeExpiryMs = 5 * 60_000;

/** Creates a source of one fixed token, which cannot be renewed. */
export function staticToken(accessToken: string): TokenSource {
  return { token: () => Promise.resolve(accessToken) };
}

/**
 * Creates a source of tokens from credentials. Each token is kept until five minutes before it
 * expires.
 *
 * A service account signs its own tokens (RS256, with the scope), without a token endpoint. A
 * user's refresh token is exchanged at Google's token endpoint, through `transport`.
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

// The library's errors contain the request, including secrets, so no cause is kept.
function credentialsError(failure: unknown): ApiError {
  const message = serverMessage(failureMessage(failure));
  return new ApiError({
    code: "CREDENTIALS",
    message: `no access token could be obtained with the credentials: ${message}`,
  });
}
