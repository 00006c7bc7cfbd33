/**
 * The names of google.rpc.Code in the order of their numbers. Index 0 is OK.
 *
 * @see {@link https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto}
 */
export const statusNames = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
] as const;

/** The error codes that the service itself can return. */
export type ServiceErrorCode = Exclude<(typeof statusNames)[number], "OK">;

/**
 * The code of an {@link ApiError}.
 *
 * In addition to the service's own codes: `TRANSPORT` (no response arrived), `MALFORMED_ANSWER`
 * (the response does not follow the API), `CREDENTIALS` (no token could be obtained), `SETTINGS`
 * (the base URL or a name is invalid; nothing was sent), `CANCELLED_BY_USER` (the signal was
 * aborted), `DEADLINE` (the caller's deadline passed on the client's side).
 */
export type ApiErrorCode =
  | ServiceErrorCode
  | "TRANSPORT"
  | "MALFORMED_ANSWER"
  | "CREDENTIALS"
  | "SETTINGS"
  | "CANCELLED_BY_USER"
  | "DEADLINE";

/** A field that the service refuses, from google.rpc.BadRequest. */
export interface FieldViolation {
  /** The server's name of the field, such as `endpoint.threat_exceptions` or `endpointId`. */
  readonly field: string;
  readonly description: string;
}

/** An API that is not enabled in a project. */
export interface DisabledService {
  /** Such as `ids.googleapis.com`. */
  readonly name: string;
  /** The page of Google's console where it can be enabled, if the server named it. */
  readonly page: string | undefined;
}

/** The properties of an {@link ApiError}. */
interface ApiErrorProps {
  readonly code: ApiErrorCode;
  readonly message: string;
  /** 0 without an HTTP response, 200 for the error of a finished operation. @default 0 */
  readonly httpStatus?: number | undefined;
  readonly fieldViolations?: readonly FieldViolation[] | undefined;
  /** The `reason` of google.rpc.ErrorInfo, such as `SERVICE_DISABLED`, or a code of Node.js. */
  readonly reason?: string | undefined;
  /** The API that is not enabled, for the reason `SERVICE_DISABLED`. */
  readonly disabledService?: DisabledService | undefined;
  /** The name of the long-running operation that failed. */
  readonly operation?: string | undefined;
  /** How long to wait before the next attempt, as requested by the server, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The only error that the client throws.
 *
 * Its message can quote the server's response (at most 500 characters, no control characters). It
 * never contains a token, a key or a query string.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly httpStatus: number;
  readonly fieldViolations: readonly FieldViolation[];
  readonly reason: string | undefined;
  readonly disabledService: DisabledService | undefined;
  readonly operation: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(props: ApiErrorProps) {
    super(props.message, props.cause === undefined ? undefined : { cause: props.cause });
    this.code = props.code;
    this.httpStatus = props.httpStatus ?? 0;
    this.fieldViolations = props.fieldViolations ?? [];
    this.reason = props.reason;
    this.disabledService = props.disabledService;
    this.operation = props.operation;
    this.retryAfterMs = props.retryAfterMs;
  }

  /** Returns the same error with the name of an operation. */
  ofOperation(operation: string): ApiError {
    const { code, message, httpStatus, fieldViolations, reason, retryAfterMs, cause } = this;
    const { disabledService } = this;
    return new ApiError({
      code,
      message,
      httpStatus,
      fieldViolations,
      reason,
      retryAfterMs,
      cause,
      disabledService,
      operation,
    });
  }
}

/** Checks whether a caught value is an {@link ApiError} with one of these codes. */
export const isApiError = (error: unknown, ...codes: readonly ApiErrorCode[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);
