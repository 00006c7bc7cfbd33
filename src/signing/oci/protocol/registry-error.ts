import { afterAttempts } from "../../../http/attempt-report";

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

type Optional = "status" | "registryCodes" | "isTemporary" | "cause";
type RegistryErrorProps = Pick<RegistryError, "code" | "message"> & {
  readonly [K in Optional]?: RegistryError[K] | undefined;
};

/** The only error of the registry client. Its message contains no secrets and no query strings. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code: RegistryErrorCode;
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

  constructor(props: RegistryErrorProps) {
    super(props.message, props.cause === undefined ? undefined : { cause: props.cause });
    this.code = props.code;
    this.status = props.status ?? 0;
    this.registryCodes = props.registryCodes ?? [];
    this.isTemporary = props.isTemporary ?? false;
  }
}

/** The last error of something that was tried several times. */
export function lastOf(attempts: number, error: RegistryError): RegistryError {
  if (attempts === 1) return error;
  const { code, status, registryCodes, isTemporary } = error;
  const message = error.message + afterAttempts(attempts);
  return new RegistryError({ code, message, status, registryCodes, isTemporary, cause: error });
}

/** The error for content that does not match its digest or size. */
export function wrongContent(place: string, problem: string): RegistryError {
  return new RegistryError({
    code: "WRONG_CONTENT",
    message: `${place} has wrong content: ${problem}`,
  });
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
