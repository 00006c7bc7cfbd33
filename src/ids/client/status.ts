import { isObject } from "../../json/is-object";
import {
  ApiError,
  type DisabledService,
  type FieldViolation,
  type ServiceErrorCode,
  statusNames,
} from "./api-error";
import type { Properties } from "../../json/is-object";
import { serverMessage } from "../../http/server-message";

/** The HTTP response to which a status belongs. */
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

/** Shows only names and pages of Google, because users are told to enable the one and open the other. */
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
