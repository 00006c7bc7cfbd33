import { HttpFailure } from "../../service/answer";

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

/** A field of the request, and why it is refused. */
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

/** The refusal of a request, in Google's error model. */
export function rpcError(
  code: keyof typeof codes,
  message: string,
  details?: readonly Readonly<Record<string, unknown>>[],
): HttpFailure {
  const { http } = codes[code];
  const error = { code: http, message, status: code, details };
  return new HttpFailure(http, message, {}, { error });
}

/** Creates an INVALID_ARGUMENT error with the invalid fields. */
export function invalidFields(violations: readonly FieldViolation[]): HttpFailure {
  const message = violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  return rpcError("INVALID_ARGUMENT", message, [
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

export interface LocalRequest {
  readonly method: string;
  /** The path without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** The query parameters that every method of Google's APIs accepts. */
const commonParameters: readonly string[] = [
  "alt",
  "$alt",
  "fields",
  "prettyPrint",
  "quotaUser",
  "$.xgafv",
  "key",
  "access_token",
  "oauth_token",
  "callback",
  "uploadType",
  "upload_protocol",
];

/** A request, with the variables of its path and its query string. */
export class Call {
  constructor(
    readonly request: LocalRequest,
    /** The variables of the path by their names in the route, percent-decoded. */
    readonly path: Readonly<Record<string, string>>,
    parameters: readonly string[],
  ) {
    const known = [...commonParameters, ...parameters, ...parameters.map(toSnakeCase)];
    const unknown = [...request.query.keys()].filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      throw invalidFields(
        unknown.map((name) => ({
          field: name,
          description: `Unknown name ${JSON.stringify(name)}: Cannot bind query parameter.`,
        })),
      );
    }
    if ((request.query.get("alt") ?? "json") !== "json") {
      throw rpcError("INVALID_ARGUMENT", "only alt=json is supported");
    }
  }

  /** The parent name, `projects/P/locations/L`. */
  get parent(): string {
    return `projects/${this.variable("project")}/locations/${this.variable("location")}`;
  }

  /** Returns a variable of the path; empty when absent. */
  variable(name: string): string {
    return this.path[name] ?? "";
  }

  /** Returns a query parameter, in camelCase or snake_case; undefined when absent. */
  query(name: string): string | undefined {
    const { query } = this.request;
    return query.get(name) ?? query.get(toSnakeCase(name)) ?? undefined;
  }
}

/** Converts `threatExceptions` to `threat_exceptions`, the name in the proto. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
