/** The codes that the local back end returns: the number of google.rpc.Code and the HTTP status. */
const codes = {
  INVALID_ARGUMENT: { number: 3, http: 400 },
  FAILED_PRECONDITION: { number: 9, http: 400 },
  PERMISSION_DENIED: { number: 7, http: 403 },
  NOT_FOUND: { number: 5, http: 404 },
  ALREADY_EXISTS: { number: 6, http: 409 },
  RESOURCE_EXHAUSTED: { number: 8, http: 429 },
  INTERNAL: { number: 13, http: 500 },
  UNIMPLEMENTED: { number: 12, http: 501 },
} as const;

/** A field of the request that is refused. */
export interface FieldViolation {
  /** The field's name in the proto, such as `endpoint.threat_exceptions`. */
  readonly field: string;
  readonly description: string;
}

/** A google.rpc.Status, as in an operation. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
  readonly details?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** An error in Google's error model. */
export class RpcError extends Error {
  readonly httpStatus: number;

  constructor(
    readonly code: keyof typeof codes,
    message: string,
    readonly details: readonly Readonly<Record<string, unknown>>[] = [],
  ) {
    super(message);
    this.httpStatus = codes[code].http;
  }

  /** Returns the body of the HTTP response. */
  toJson(): unknown {
    const { httpStatus, message, code, details } = this;
    const error = { code: httpStatus, message, status: code };
    return { error: details.length === 0 ? error : { ...error, details } };
  }
}

/** Creates an INVALID_ARGUMENT error with the invalid fields. */
export function invalidFields(violations: readonly FieldViolation[]): RpcError {
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  return new RpcError("INVALID_ARGUMENT", message, [
    { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: violations },
  ]);
}

/** Creates a `google.rpc.ErrorInfo`, by which clients distinguish the causes of a code. */
export function errorInfo(reason: string, metadata: Readonly<Record<string, string>>) {
  return {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason,
    domain: "ids.googleapis.com",
    metadata,
  };
}
