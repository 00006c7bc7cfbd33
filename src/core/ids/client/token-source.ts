import { isFailure } from "../../failure/failure";
import type { Credentials } from "../../google/credentials";
import type { AccessToken, TokenServices } from "../../google/token-request";
import { type CallContext, type Clock, systemClock } from "../../http/call-context";
import { createHttpClient } from "../../http/client";
import { renewedValue } from "../../http/renewed-value";
import type { Transport } from "../../http/transport";
import { ApiError, callerCodes } from "./api-error";

/** The source of the client's bearer tokens. */
export interface TokenSource {
  /**
   * Returns a token that remains valid for some time.
   *
   * `rejected` is a token that the server has just refused. It is returned again only if no other token can
   * be obtained.
   */
  token(options: CallContext & { readonly rejected?: string | undefined }): Promise<string>;
}

const renewBeforeExpiryMs = 5 * 60_000;

interface CredentialsTokenSettings {
  /** Environment variables of programs that provide tokens. */
  readonly env: TokenServices["env"];
  readonly transport: Transport;
  /** Receives every secret, so that logs can redact it. */
  readonly redact: (secret: string) => void;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Creates a source of tokens from Google credentials. Each token is kept until five minutes before
 * it expires, or until the service refuses it. A given token cannot be renewed.
 */
export function credentialsToken(
  credentials: Credentials,
  settings: CredentialsTokenSettings,
): TokenSource {
  if (credentials.type === "access_token") {
    return { token: () => Promise.resolve(credentials.token) };
  }
  const { clock = systemClock } = settings;
  const services = tokenServices(settings);
  const kept = renewedValue<AccessToken, CallContext>({
    async renew(context) {
      const { requestAccessToken } = await import("../../google/access-token.js");
      return requestAccessToken({ ...services, context }, credentials);
    },
    expiresAt: ({ expiresAt }) => expiresAt,
    marginMs: renewBeforeExpiryMs,
    now: () => clock.now(),
  });
  return {
    async token({ signal, deadline, rejected }) {
      try {
        return (await kept({ signal, deadline }, ({ token }) => token === rejected)).token;
      } catch (failure) {
        throw credentialsError(failure);
      }
    },
  };
}

/** Returns the services for requests of tokens, without the context of a call. */
export function tokenServices({
  env,
  transport,
  redact,
  clock = systemClock,
}: CredentialsTokenSettings): Omit<TokenServices, "context"> {
  const http = createHttpClient({ transport, clock, userAgent: "trivet-ids" });
  return { http, env, now: () => clock.now(), redact };
}

function credentialsError(failure: unknown): unknown {
  if (!isFailure(failure)) return failure;
  return new ApiError({
    code: callerCodes[failure.code] ?? "CREDENTIALS",
    message: `no access token could be obtained: ${failure.message}`,
    advice: failure.advice,
    cause: failure,
  });
}
