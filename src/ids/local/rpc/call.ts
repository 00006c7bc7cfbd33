import { invalidFields, RpcError } from "./rpc-error";
import { toSnakeCase } from "./snake-case";

/** A request as it arrived, decoded only as far as HTTP goes. */
export interface LocalRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Understood by every method of Google's APIs. */
const commonParameters: readonly string[] = [
  ...["alt", "$alt", "fields", "prettyPrint", "quotaUser", "$.xgafv", "key", "access_token"],
  ...["oauth_token", "callback", "uploadType", "upload_protocol"],
];

/** A request that found its method: the variables of its path and its query. */
export class Call {
  constructor(
    readonly request: LocalRequest,
    /** By their names in the route; percent-decoded. */
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
      throw new RpcError("INVALID_ARGUMENT", "only alt=json is served here");
    }
  }

  /** `projects/P/locations/L` */
  get parent(): string {
    return `projects/${this.variable("project")}/locations/${this.variable("location")}`;
  }

  variable(name: string): string {
    return this.path[name] ?? "";
  }

  /** Either spelling; undefined when absent. */
  query(name: string): string | undefined {
    const { query } = this.request;
    return query.get(name) ?? query.get(toSnakeCase(name)) ?? undefined;
  }
}
