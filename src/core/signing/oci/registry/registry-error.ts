import { afterAttempts, askedWait, retryPolicy } from "../../../http/retry";
import {
  type HttpErrorCode,
  isHttpError,
  isTemporaryFailure,
  reasonOf,
} from "../../../http/http-error";
import { Failure } from "../../../failure/failure";
import { formatLabel } from "../../../http/request-label";
import { quoteRefusal } from "../../../http/service-call";
import { readJsonObject } from "../../../json/parse-json";
import { isObject } from "../../../json/plain-json";

/**
 * Why a request to a registry failed.
 *
 * `NOT_FOUND`, `UNAUTHORIZED` (401), `DENIED` (403), `RATE_LIMITED` (429), `UNSUPPORTED` (the registry
 * does not implement it), `MEDIA_TYPE` (415: the registry does not accept this type of manifest), `REFUSED`
 * (another 4xx), `UNAVAILABLE` (5xx), `MALFORMED_ANSWER`, `WRONG_CONTENT` (the content does not match its
 * digest or size), `TOO_LARGE`, `TRANSPORT` (no response), `CREDENTIALS` (they cannot be read, or must not be
 * sent), `UNSAFE` (the registry pointed to an unsafe URL), `CONTENTION` (others kept writing to the same tag),
 * `TAG_TAKEN` (the fallback tag for referrers contains something else), `LAYOUT` (an image layout on this machine cannot
 * be used), `IMAGE_MISSING` (it has no image of that name), `CANCELLED`, `DEADLINE`.
 */
export type RegistryErrorCode =
  | "NOT_FOUND"
  | "UNAUTHORIZED"
  | "DENIED"
  | "RATE_LIMITED"
  | "UNSUPPORTED"
  | "MEDIA_TYPE"
  | "REFUSED"
  | "UNAVAILABLE"
  | "MALFORMED_ANSWER"
  | "WRONG_CONTENT"
  | "TOO_LARGE"
  | "TRANSPORT"
  | "CREDENTIALS"
  | "UNSAFE"
  | "CONTENTION"
  | "TAG_TAKEN"
  | "LAYOUT"
  | "IMAGE_MISSING"
  | "CANCELLED"
  | "DEADLINE";

/** The only error of the registry client. Its message contains no secrets and no query strings. */
export class RegistryError extends Failure<RegistryErrorCode> {
  override readonly name = "RegistryError";
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /**
   * Error codes of the registry, such as `MANIFEST_UNKNOWN`.
   *
   * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes
   */
  readonly registryCodes: readonly string[];
  /** True if the same request may succeed a little later. */
  readonly isTemporary: boolean;

  constructor(
    code: RegistryErrorCode,
    message: string,
    facts: Partial<Pick<RegistryError, "status" | "registryCodes" | "isTemporary" | "cause">> = {},
  ) {
    super(code, message, facts);
    this.status = facts.status ?? 0;
    this.registryCodes = facts.registryCodes ?? [];
    this.isTemporary = facts.isTemporary ?? false;
  }

  /** The same error with another message, and perhaps another code. */
  explained(message: string, code = this.code): RegistryError {
    const { status, registryCodes, isTemporary } = this;
    return new RegistryError(code, message, { status, registryCodes, isTemporary, cause: this });
  }
}

/** The error of the last attempt. */
export const lastOf = (attempts: number, error: RegistryError): RegistryError =>
  attempts === 1 ? error : error.explained(error.message + afterAttempts(attempts));

export function wrongContent(place: string, problem: string): RegistryError {
  return new RegistryError("WRONG_CONTENT", `${place} has wrong content: ${problem}`);
}

/**
 * Checks for an error about one piece of content: it is missing, broken, too large, or its URL is unsafe. Other
 * content may still be readable, so a search continues.
 */
export function isAboutContent({ code }: RegistryError): boolean {
  return contentCodes.has(code);
}

const contentCodes: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "NOT_FOUND",
  "REFUSED",
  "WRONG_CONTENT",
  "TOO_LARGE",
  "MALFORMED_ANSWER",
  "UNSAFE",
]);

/** HTTP statuses after which the same request may succeed. */
const temporaryStatuses = [408, 429, 499, 500, 502, 503, 504, 522];

// Distributed registries return these until a recent write has reached all replicas.
const temporaryCodes: ReadonlySet<string> = new Set(["MANIFEST_BLOB_UNKNOWN", "DIGEST_INVALID"]);

const isTemporaryCode = (code: string): boolean => temporaryCodes.has(code);

const retry = {
  statuses: temporaryStatuses,
  also: (_: number, body: Buffer) => readCodes(body).some(isTemporaryCode),
};

/** When requests to registries are repeated. A registry that restarts may be unreachable for half a minute. */
export const registryRetry = retryPolicy({ ...retry, attemptsWithoutServer: 8 });

/** When the first request to a registry is repeated: fewer times, because the address may be wrong. */
export const firstContactRetry = retryPolicy({ ...retry, attemptsWithoutServer: 5 });

interface Refusal {
  readonly method: string;
  readonly url: URL;
  /** The URL of the response, after redirects. @default url */
  readonly answeredBy?: URL | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly attempts: number;
  /** Strings to redact from the message. */
  readonly secrets: readonly string[];
}

/** The error for an unexpected status, with the registry's own message at the end. */
export function refusalError(refusal: Refusal): RegistryError {
  const { method, url, answeredBy = url, status, headers, body, attempts, secrets } = refusal;
  const isElsewhere = answeredBy.origin !== url.origin;
  const registryCodes = readCodes(body);
  const where = isElsewhere ? `, redirected to ${answeredBy.origin},` : "";
  const said = quoteRefusal({ status, body }, secrets) + askedWait(headers, Date.now());
  return new RegistryError(
    // Another host's 401 does not request the registry's credentials.
    isElsewhere && status === 401 ? "REFUSED" : codeOf(status, registryCodes),
    `${formatLabel({ method, url })}${where} failed${afterAttempts(attempts)} with ${said}`,
    {
      status,
      registryCodes,
      isTemporary: temporaryStatuses.includes(status) || registryCodes.some(isTemporaryCode),
    },
  );
}

/** Converts an error of the HTTP client to a {@link RegistryError}; other errors are returned unchanged. */
export function transportError(failure: unknown): unknown {
  if (!isHttpError(failure)) return failure;
  return new RegistryError(transportCodes[failure.code], failure.message, {
    isTemporary:
      isHttpError(failure, "TIMEOUT", "NO_ANSWER", "BROKEN_OFF") &&
      isTemporaryFailure(reasonOf(failure)),
    cause: failure,
  });
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
