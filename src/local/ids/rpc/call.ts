import { invalidFields, RpcError } from "./rpc-error";
import { toSnakeCase } from "./snake-case";

/** An HTTP request, not yet interpreted. */
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

/** A request with its method: gives access to the variables of its path and its query string. */
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
      throw new RpcError("INVALID_ARGUMENT", "only alt=json is supported");
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
