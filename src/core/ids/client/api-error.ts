import { Failure } from "../../failure/failure";
import { serverMessage } from "../../http/server-message";
import { isObject, type Properties } from "../../json/plain-json";

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
type ServiceErrorCode = Exclude<(typeof statusNames)[number], "OK">;

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
interface FieldViolation {
  /** The server's name of the field, such as `endpoint.threat_exceptions` or `endpointId`. */
  readonly field: string;
  readonly description: string;
}

/** An API that is not enabled in a project. */
interface DisabledService {
  /** Such as `ids.googleapis.com`. */
  readonly name: string;
  /** The page of Google's console where it can be enabled, if the server returned it. */
  readonly page: string | undefined;
}

/** The codes for a call that its caller has ended. */
export const callerCodes: Readonly<Partial<Record<string, ApiErrorCode>>> = {
  CANCELLED: "CANCELLED_BY_USER",
  DEADLINE: "DEADLINE",
};

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
  /** The wait before the next attempt that the server requests, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** What to do, in full sentences. @default the advice for the code */
  readonly advice?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The only error that the client throws.
 *
 * Its message can quote the server's response (at most 500 characters, no control characters). It
 * never contains a token, a key or a query string.
 */
export class ApiError extends Failure<ApiErrorCode> {
  override readonly name = "ApiError";
  readonly httpStatus: number;
  readonly fieldViolations: readonly FieldViolation[];
  readonly reason: string | undefined;
  readonly disabledService: DisabledService | undefined;
  readonly operation: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(props: ApiErrorProps, operation = props.operation) {
    super(props.code, props.message, props);
    this.httpStatus = props.httpStatus ?? 0;
    this.fieldViolations = props.fieldViolations ?? [];
    this.reason = props.reason;
    this.disabledService = props.disabledService;
    this.operation = operation;
    this.retryAfterMs = props.retryAfterMs;
  }

  ofOperation(operation: string): ApiError {
    return new ApiError(this, operation);
  }
}

/** Checks whether a caught value is an {@link ApiError} with one of these codes. */
export const isApiError = (error: unknown, ...codes: readonly ApiErrorCode[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

interface StatusContext {
  readonly httpStatus: number;
  readonly retryAfterMs?: number | undefined;
  /** The bearer token, to redact it if the server quotes it. */
  readonly secret?: string | undefined;
}

/**
 * Reads a google.rpc.Status in either of its two forms: the `error` of an HTTP body, whose `code`
 * is the HTTP status and whose `status` is the name, or the `error` of an operation, whose `code`
 * is the gRPC number and which has no name. Undefined for anything else.
 *
 * @see {@link https://google.aip.dev/193}
 */
export function statusToError(status: unknown, context: StatusContext): ApiError | undefined {
  if (!isObject(status)) return undefined;
  const code = codeOf(status);
  if (code === undefined) return undefined;
  const message = typeof status["message"] === "string" ? status["message"] : "";
  const details = Array.isArray(status["details"]) ? status["details"].filter(isObject) : [];
  const quoted = serverMessage(message, context.secret);
  return new ApiError({
    code: code === "NOT_FOUND" && isUnknownMethod(quoted) ? "UNIMPLEMENTED" : code,
    message: quoted === "" ? `the service gave no reason for ${code}` : quoted,
    httpStatus: context.httpStatus,
    fieldViolations: details.flatMap((detail) => violationsOf(detail, context.secret)),
    reason: reasonOf(details),
    disabledService: disabledServiceOf(details),
    retryAfterMs: context.retryAfterMs ?? retryDelayOf(details),
  });
}

function codeOf(status: Properties): ServiceErrorCode | undefined {
  const { status: name, code } = status;
  if (typeof name === "string") {
    return statusNames.find((known): known is ServiceErrorCode => known === name && name !== "OK");
  }
  const known = typeof code === "number" ? statusNames[code] : undefined;
  if (known !== undefined && known !== "OK") return known;
  // An unknown number is still a failure; 0 is not.
  return typeof code === "number" && code !== 0 ? "UNKNOWN" : undefined;
}

// A wrong base URL must not look like a deleted endpoint, which would drop it from the state.
function isUnknownMethod(message: string): boolean {
  return /^method not found\.?$/i.test(message);
}

function violationsOf(detail: Properties, secret: string | undefined): FieldViolation[] {
  const violations = detail["fieldViolations"];
  if (!isType(detail, "BadRequest") || !Array.isArray(violations)) return [];
  return violations.filter(isObject).map(({ field, description }) => ({
    field: typeof field === "string" ? serverMessage(field, secret) : "",
    description: typeof description === "string" ? serverMessage(description, secret) : "",
  }));
}

function reasonOf(details: readonly Properties[]): string | undefined {
  const reason = details.find((detail) => isType(detail, "ErrorInfo"))?.["reason"];
  return typeof reason === "string" && /^[A-Z][A-Z0-9_]{0,62}$/.test(reason) ? reason : undefined;
}

const consolePage = /^https:\/\/console\.(?:developers|cloud)\.google\.com\/[\w./?=&%:-]{1,300}$/;

/** Returns only names and pages of Google: users are asked to enable the API and to open the page. */
function disabledServiceOf(details: readonly Properties[]): DisabledService | undefined {
  if (reasonOf(details) !== "SERVICE_DISABLED") return undefined;
  const info = details.find((detail) => isType(detail, "ErrorInfo"));
  const metadata = isObject(info?.["metadata"]) ? info["metadata"] : {};
  const name = metadata["service"];
  if (typeof name !== "string" || !/^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(name)) return undefined;
  const links = details.filter((detail) => isType(detail, "Help")).flatMap(linksOf);
  const pages = [metadata["activationUrl"], ...links];
  const page = pages.find(
    (each): each is string => typeof each === "string" && consolePage.test(each),
  );
  return { name, page };
}

const linksOf = ({ links }: Properties): readonly unknown[] =>
  Array.isArray(links) ? links.filter(isObject).map(({ url }) => url) : [];

function retryDelayOf(details: readonly Properties[]): number | undefined {
  const delay = details.find((detail) => isType(detail, "RetryInfo"))?.["retryDelay"];
  const seconds = typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function isType(detail: Properties, name: string): boolean {
  return detail["@type"] === `type.googleapis.com/google.rpc.${name}`;
}

/** The error for a successful response whose content the API does not define. */
export const malformedAnswer = (message: string): ApiError =>
  new ApiError({ code: "MALFORMED_ANSWER", message, httpStatus: 200 });
