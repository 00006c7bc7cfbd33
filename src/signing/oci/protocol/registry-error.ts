/**
 * Why a registry did not do what it was asked for.
 *
 * `NOT_FOUND`, `UNAUTHORIZED` (401), `DENIED` (403), `RATE_LIMITED` (429), `UNSUPPORTED` (the registry
 * cannot do this), `REFUSED` (another 4xx), `UNAVAILABLE` (5xx), `MALFORMED_ANSWER`, `WRONG_CONTENT`
 * (other bytes than the digest says), `TOO_LARGE`, `TRANSPORT` (no answer), `CREDENTIALS` (they cannot
 * be read, or must not be sent), `UNSAFE` (the registry sent us where we do not go), `CONTENTION` (others
 * kept writing to the same tag), `TAG_TAKEN` (the fallback tag for referrers holds something else),
 * `CANCELLED`, `DEADLINE`.
 */
export type RegistryErrorCode =
  | "NOT_FOUND"
  | "UNAUTHORIZED"
  | "DENIED"
  | "RATE_LIMITED"
  | "UNSUPPORTED"
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
  | "CANCELLED"
  | "DEADLINE";

export interface RegistryErrorProps {
  readonly code: RegistryErrorCode;
  readonly message: string;
  /** 0 when there was no answer. */
  readonly status?: number | undefined;
  /** Codes of the registry itself, such as `MANIFEST_UNKNOWN`. */
  readonly registryCodes?: readonly string[] | undefined;
  /** Whether the same may succeed a little later. */
  readonly isTemporary?: boolean | undefined;
  readonly cause?: unknown;
}

/** The one error of the registry client; its message holds no secret and no query string. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code: RegistryErrorCode;
  readonly status: number;
  readonly registryCodes: readonly string[];
  readonly isTemporary: boolean;

  constructor(props: RegistryErrorProps) {
    super(props.message, props.cause === undefined ? undefined : { cause: props.cause });
    this.code = props.code;
    this.status = props.status ?? 0;
    this.registryCodes = props.registryCodes ?? [];
    this.isTemporary = props.isTemporary ?? false;
  }
}
