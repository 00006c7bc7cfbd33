import type { CallContext } from "../http/call-context";
import type { HttpResponse, HttpClient, OutgoingRequest } from "../http/client";
import type { RetryPolicy } from "../http/retry";
import { serviceCalls } from "../http/service-call";
import { readJsonObject } from "../json/parse-json";
import type { TrustedServices } from "./credentials";

export interface TokenServices {
  readonly http: HttpClient;
  readonly context: CallContext;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The services that may receive tokens and secrets. @default Google's public services */
  readonly trusted?: TrustedServices | undefined;
  /** Receives every secret, so that logs can redact it. */
  readonly redact: (secret: string) => void;
}

export interface AccessToken {
  readonly token: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export const cloudPlatformScope = "https://www.googleapis.com/auth/cloud-platform";

/** The lifetime of a token whose response does not state it. */
const defaultLifetimeMs = 3_600_000;

const call = serviceCalls({
  // Real tokens are a few kilobytes long.
  limits: { maxBytes: 65_536, attemptMs: 10_000 },
});

interface TokenRequest extends Pick<OutgoingRequest, "method" | "url" | "headers" | "body"> {
  /** The service, for messages: `the token endpoint`. */
  readonly service: string;
  /** The source of the credentials, for messages. */
  readonly origin: string;
  /** Parts of the request that no message may repeat. */
  readonly secrets: readonly string[];
  /** @default three attempts */
  readonly retry?: RetryPolicy | undefined;
  /** The longest duration of one attempt. @default 10000 */
  readonly attemptMs?: number | undefined;
}

/**
 * Sends a request, and returns the response with any status. Redirects are not followed.
 *
 * @throws HttpError if there is no response
 */
export async function sendForToken(
  services: TokenServices,
  request: TokenRequest,
): Promise<HttpResponse> {
  const { service, origin, secrets, attemptMs, ...rest } = request;
  for (const secret of secrets) services.redact(secret);
  const { http, context } = services;
  const limits = attemptMs === undefined ? undefined : { attemptMs };
  return call({
    ...rest,
    http,
    context,
    secrets,
    limits,
    service: `${origin}: ${service} did not respond`,
  });
}

/** Encodes a form, and adds the headers for it. */
export function formRequest(form: Readonly<Record<string, string>>) {
  return {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(form).toString(),
  } as const;
}

/**
 * Reads the token in a response of RFC 6749, and redacts it from now on; undefined without a token.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-5.1
 */
export function tokenOf(
  { now, redact }: Pick<TokenServices, "now" | "redact">,
  body: Uint8Array,
): AccessToken | undefined {
  const { access_token: token, expires_in: seconds } = readJsonObject(body) ?? {};
  if (!isToken(token)) return undefined;
  redact(token);
  const lifetimeMs = typeof seconds === "number" && seconds > 0 ? seconds * 1000 : undefined;
  return { token, expiresAt: now() + (lifetimeMs ?? defaultLifetimeMs) };
}

/** Checks whether a value can be a token in a header. */
export const isToken = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]{1,20000}$/.test(value);
