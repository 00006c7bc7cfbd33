import { isObject } from "../../../json/plain-json";
import { HttpError, type HttpErrorCode } from "../../../http/http-error";
import { isTemporaryFailure } from "../../../http/explain-failure";
import { formatLabel } from "../../../http/request-label";
import { afterAttempts, askedWait } from "../../../http/attempt-report";
import { retryPolicy } from "../../../http/retry";
import { quoteRefusal } from "../../../http/service-call";
import { readJsonObject } from "./read-json";
import { RegistryError, type RegistryErrorCode } from "./registry-error";

/** HTTP statuses after which the same request may succeed. */
const temporaryStatuses = [408, 429, 499, 500, 502, 503, 504, 522];

// Distributed registries return these until a recent write has reached all replicas.
const temporaryCodes: ReadonlySet<string> = new Set(["MANIFEST_BLOB_UNKNOWN", "DIGEST_INVALID"]);

const retry = {
  statuses: temporaryStatuses,
  also: (_: number, body: Buffer) => readCodes(body).some((code) => temporaryCodes.has(code)),
};

/** When requests to registries are repeated. A registry that is restarted may be away for up to half a minute. */
export const registryRetry = retryPolicy({ ...retry, attemptsWithoutServer: 8 });

/** When the first request to a registry is repeated: at a wrong address, nothing will ever respond. */
export const firstContactRetry = retryPolicy({ ...retry, attemptsWithoutServer: 5 });

/** A response with an unexpected status. */
interface Refusal {
  readonly method: string;
  readonly url: URL;
  /** The URL of the response, after redirects. @default url */
  readonly answeredBy?: URL | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** How often the request was sent. */
  readonly attempts: number;
  /** Strings to redact from the message. */
  readonly secrets: readonly string[];
}

/** The error for an unexpected status, with the registry's own message at the end. */
export function refusalError(refusal: Refusal): RegistryError {
  const { method, url, answeredBy = url, status, headers, body, attempts, secrets } = refusal;
  const isElsewhere = answeredBy.origin !== url.origin;
  const registryCodes = readCodes(body);
  return new RegistryError({
    // Another host's 401 does not ask for the registry's credentials.
    code: isElsewhere && status === 401 ? "REFUSED" : codeOf(status, registryCodes),
    message:
      `${formatLabel({ method, url })}${isElsewhere ? `, redirected to ${answeredBy.origin},` : ""} failed` +
      `${afterAttempts(attempts)} with ${quoteRefusal({ status, body }, secrets)}${askedWait(headers, Date.now())}`,
    status,
    registryCodes,
    isTemporary:
      temporaryStatuses.includes(status) || registryCodes.some((code) => temporaryCodes.has(code)),
  });
}

/** Converts an error of the HTTP client to a {@link RegistryError}; other errors are returned unchanged. */
export function transportError(failure: unknown): unknown {
  if (!(failure instanceof HttpError)) return failure;
  const { code, message, reason } = failure;
  const mayPass = code === "TIMEOUT" || code === "NO_ANSWER" || code === "BROKEN_OFF";
  return new RegistryError({
    code: transportCodes[code],
    message,
    isTemporary: mayPass && isTemporaryFailure(reason),
    cause: failure,
  });
}

/** The error of a caller that is cancelled while it waits for another caller's request. */
export function interrupted(): RegistryError {
  const message = "the request was cancelled while it waited for another one";
  return new RegistryError({ code: "CANCELLED", message });
}

const transportCodes: Readonly<Record<HttpErrorCode, RegistryErrorCode>> = {
  NO_ANSWER: "TRANSPORT",
  BROKEN_OFF: "TRANSPORT",
  TIMEOUT: "TRANSPORT",
  URL: "TRANSPORT",
  TOO_LARGE: "TOO_LARGE",
  REDIRECT: "UNSAFE",
  DEADLINE: "DEADLINE",
  CANCELLED: "CANCELLED",
};

function codeOf(status: number, codes: readonly string[]): RegistryErrorCode {
  if (status === 404) return "NOT_FOUND";
  if (status === 401) return "UNAUTHORIZED";
  if (status === 405 || codes.includes("UNSUPPORTED")) return "UNSUPPORTED";
  if (status === 403) return "DENIED";
  if (status === 415) return "MEDIA_TYPE";
  if (status === 429) return "RATE_LIMITED";
  if (status >= 500) return "UNAVAILABLE";
  return status >= 400 ? "REFUSED" : "MALFORMED_ANSWER";
}

function readCodes(body: Uint8Array): readonly string[] {
  // Most responses are not errors: a cheap check avoids parsing them.
  if (body.byteLength > 65_536 || body[0] !== 0x7b) return [];
  const errors = readJsonObject(body)?.["errors"];
  if (!Array.isArray(errors)) return [];
  return errors
    .filter(isObject)
    .slice(0, 5)
    .map(({ code }) => code)
    .filter((code) => typeof code === "string")
    .filter((code) => /^[A-Z_]{1,60}$/.test(code));
}
