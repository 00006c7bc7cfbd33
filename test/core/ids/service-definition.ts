/**
 * What Google publishes about the service's API: facts from its discovery document (`ids:v1`, revision 20260427, as
 * contained in the Go module google.golang.org/api v0.286.0, file ids/v1/ids-api.json). The document of revision
 * 20230807 also has methods for IAM policies, and no `satisfiesPzi` and `satisfiesPzs`.
 */

/** How a field is written in JSON. */
export type FieldType =
  | "string"
  | "boolean"
  | "integer"
  | "timestamp"
  | "strings"
  | "labels"
  | "any"
  | readonly string[]
  | { readonly message: MessageName }
  | { readonly list: MessageName };

export type MessageName =
  | "Endpoint"
  | "Operation"
  | "OperationMetadata"
  | "Status"
  | "ListEndpointsResponse"
  | "ListLocationsResponse"
  | "ListOperationsResponse"
  | "Location";

interface Field {
  readonly type: FieldType;
  /** Whether only the service writes it. */
  readonly isOutput?: true;
}

const out = (type: FieldType): Field => ({ type, isOutput: true });
const both = (type: FieldType): Field => ({ type });

const messages: Readonly<Record<MessageName, Readonly<Record<string, Field>>>> = {
  Endpoint: {
    createTime: out("timestamp"),
    description: both("string"),
    endpointForwardingRule: out("string"),
    endpointIp: out("string"),
    labels: both("labels"),
    name: out("string"),
    network: both("string"),
    satisfiesPzi: out("boolean"),
    satisfiesPzs: out("boolean"),
    severity: both(["SEVERITY_UNSPECIFIED", "INFORMATIONAL", "LOW", "MEDIUM", "HIGH", "CRITICAL"]),
    state: out(["STATE_UNSPECIFIED", "CREATING", "READY", "DELETING", "UPDATING"]),
    threatExceptions: both("strings"),
    trafficLogs: both("boolean"),
    updateTime: out("timestamp"),
  },
  Operation: {
    done: both("boolean"),
    error: both({ message: "Status" }),
    metadata: both({ message: "OperationMetadata" }),
    name: both("string"),
    response: both("any"),
  },
  OperationMetadata: {
    apiVersion: out("string"),
    createTime: out("timestamp"),
    endTime: out("timestamp"),
    requestedCancellation: out("boolean"),
    statusMessage: out("string"),
    target: out("string"),
    verb: out("string"),
  },
  Status: { code: both("integer"), details: both("any"), message: both("string") },
  ListEndpointsResponse: {
    endpoints: both({ list: "Endpoint" }),
    nextPageToken: both("string"),
    unreachable: both("strings"),
  },
  ListLocationsResponse: {
    locations: both({ list: "Location" }),
    nextPageToken: both("string"),
  },
  ListOperationsResponse: {
    nextPageToken: both("string"),
    operations: both({ list: "Operation" }),
    unreachable: both("strings"),
  },
  Location: {
    displayName: both("string"),
    labels: both("labels"),
    locationId: both("string"),
    metadata: both("any"),
    name: both("string"),
  },
};

/** The fields of a message by their names. */
export const fieldsOf = (name: MessageName): Readonly<Record<string, Field>> => messages[name];

export interface Method {
  readonly id: string;
  readonly verb: string;
  /** Of the path below the host, percent-encoded. */
  readonly path: RegExp;
  readonly query: Readonly<Record<string, "string" | "integer" | "boolean">>;
  readonly request?: MessageName;
  readonly response: MessageName;
}

const location = "/v1/projects/[^/]+/locations/[^/]+";
const paging = { filter: "string", pageSize: "integer", pageToken: "string" } as const;

const method = (
  id: string,
  verb: string,
  path: string,
  response: MessageName,
  query: Method["query"] = {},
  request?: MessageName,
): Method => ({
  id,
  verb,
  path: new RegExp(`^${path}$`),
  query,
  response,
  ...(request === undefined ? {} : { request }),
});

export const methods: readonly Method[] = [
  method("locations.get", "GET", location, "Location"),
  method("locations.list", "GET", "/v1/projects/[^/]+/locations", "ListLocationsResponse", {
    ...paging,
    extraLocationTypes: "string",
  }),
  method(
    "endpoints.create",
    "POST",
    `${location}/endpoints`,
    "Operation",
    { endpointId: "string", requestId: "string" },
    "Endpoint",
  ),
  method("endpoints.delete", "DELETE", `${location}/endpoints/[^/]+`, "Operation", {
    requestId: "string",
  }),
  method("endpoints.get", "GET", `${location}/endpoints/[^/]+`, "Endpoint"),
  method("endpoints.list", "GET", `${location}/endpoints`, "ListEndpointsResponse", {
    ...paging,
    orderBy: "string",
  }),
  method(
    "endpoints.patch",
    "PATCH",
    `${location}/endpoints/[^/]+`,
    "Operation",
    { requestId: "string", updateMask: "string" },
    "Endpoint",
  ),
  method("operations.get", "GET", `${location}/operations/[^/]+`, "Operation"),
  method("operations.list", "GET", `${location}/operations`, "ListOperationsResponse", {
    ...paging,
    returnPartialSuccess: "boolean",
  }),
];

/** The query parameters that every method has. */
export const commonQuery: readonly string[] = [
  "$.xgafv",
  "access_token",
  "alt",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "prettyPrint",
  "quotaUser",
  "uploadType",
  "upload_protocol",
];

/** The scope of every method. */
export const scope = "https://www.googleapis.com/auth/cloud-platform";

/** The service's hosts. */
export const baseUrl = "https://ids.googleapis.com/";
