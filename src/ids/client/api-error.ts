/** The names of google.rpc.Code in the order of their numbers; index 0 is OK. */
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

/** What the service itself can answer. */
export type ServiceErrorCode = Exclude<(typeof statusNames)[number], "OK">;

/**
 * What went wrong.
 *
 * Besides the service's own codes: `TRANSPORT` (no answer arrived), `MALFORMED_ANSWER` (one that
 * is not the API's), `CREDENTIALS` (no token could be had), `SETTINGS` (the base URL or a name
 * cannot be used; nothing was sent), `CANCELLED_BY_USER` (the signal), `DEADLINE` (the caller's
 * deadline passed on our side).
 */
export type ApiErrorCode =
  | ServiceErrorCode
  | "TRANSPORT"
  | "MALFORMED_ANSWER"
  | "CREDENTIALS"
  | "SETTINGS"
  | "CANCELLED_BY_USER"
  | "DEADLINE";

export interface FieldViolation {
  /** As the server names it: `endpoint.threat_exceptions`, `endpointId`, … */
  readonly field: string;
  readonly description: string;
}

export interface ApiErrorProps {
  readonly code: ApiErrorCode;
  readonly message: string;
  /** 0 when there was no HTTP answer, 200 for the error inside a finished operation. */
  readonly httpStatus?: number | undefined;
  readonly fieldViolations?: readonly FieldViolation[] | undefined;
  /** The `reason` of google.rpc.ErrorInfo, `SERVICE_DISABLED` for example. */
  readonly reason?: string | undefined;
  /** Name of the long-running operation that the error belongs to. */
  readonly operation?: string | undefined;
  /** What the server asked us to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The one error of the back end.
 *
 * Its message holds the server's words (at most 500 characters, no control characters) and never
 * a token, a key or a query string.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly httpStatus: number;
  readonly fieldViolations: readonly FieldViolation[];
  readonly reason: string | undefined;
  readonly operation: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(props: ApiErrorProps) {
    super(props.message, props.cause === undefined ? undefined : { cause: props.cause });
    this.code = props.code;
    this.httpStatus = props.httpStatus ?? 0;
    this.fieldViolations = props.fieldViolations ?? [];
    this.reason = props.reason;
    this.operation = props.operation;
    this.retryAfterMs = props.retryAfterMs;
  }

  /** The same error, said of an operation. */
  ofOperation(operation: string): ApiError {
    const { code, message, httpStatus, fieldViolations, reason, retryAfterMs, cause } = this;
    return new ApiError({
      ...{ code, message, httpStatus, fieldViolations, reason, retryAfterMs, cause },
      operation,
    });
  }
}
