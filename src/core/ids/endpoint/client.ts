import type { CallContext } from "../../http/call-context";
import type { IdsClient } from "../client/client";
import { type Operation, parseOperation } from "../client/operation";
import { encodeName } from "../client/rest-call";
import { isObject, type Properties } from "../../json/plain-json";
import { malformedAnswer } from "../client/api-error";
import { isEndpointName, isListParent, isParent } from "./name";

interface CreateEndpointRequest {
  /** `projects/P/locations/L` */
  readonly parent: string;
  /** The last part of the new endpoint's name. */
  readonly endpointId: string;
  readonly endpoint: EndpointBody;
  /** The idempotency key, a UUID. */
  readonly requestId: string;
}

interface ListEndpointsRequest {
  /** `projects/P/locations/L`; `projects/P/locations/-` for all locations */
  readonly parent: string;
  /** Empty for all endpoints. */
  readonly filter: string;
  /** Empty for the first page. */
  readonly pageToken: string;
}

interface EndpointPage {
  readonly endpoints: readonly EndpointResource[];
  /** Empty after the last page. */
  readonly nextPageToken: string;
  /** The locations whose endpoints are missing. */
  readonly unreachable: readonly string[];
}

interface PatchEndpointRequest {
  /** `projects/P/locations/L/endpoints/E` */
  readonly name: string;
  /** The names of the fields to write. Fields that are absent in `endpoint` are cleared. */
  readonly updateMask: readonly string[];
  readonly endpoint: EndpointBody;
  readonly requestId: string;
}

interface DeleteEndpointRequest {
  readonly name: string;
  readonly requestId: string;
}

/**
 * The service's methods for endpoints.
 *
 * Every method throws only `ApiError`, except `TypeError` for a caller's bug (an empty update
 * mask). Mutations can be retried after a lost response, because all attempts have the same
 * `requestId`, which the service recognises for at least 60 minutes.
 *
 * @see {@link https://cloud.google.com/intrusion-detection-system/docs/reference/rest}
 */
export interface EndpointClient extends IdsClient {
  createEndpoint(request: CreateEndpointRequest, options: CallContext): Promise<Operation>;
  getEndpoint(name: string, options: CallContext): Promise<EndpointResource>;
  listEndpoints(request: ListEndpointsRequest, options: CallContext): Promise<EndpointPage>;
  patchEndpoint(request: PatchEndpointRequest, options: CallContext): Promise<Operation>;
  deleteEndpoint(request: DeleteEndpointRequest, options: CallContext): Promise<Operation>;
}

/** Adds the methods for endpoints to a client. */
export function endpointClient(client: IdsClient): EndpointClient {
  const { call } = client;
  return {
    ...client,
    async createEndpoint({ parent, endpointId, endpoint, requestId }, options) {
      const path = `${encodeName(parent, isParent)}/endpoints`;
      const query = { endpointId, requestId };
      return parseOperation(
        await call({ method: "POST", path, query, body: writeBody(endpoint) }, options),
      );
    },
    async getEndpoint(name, options) {
      return readEndpoint(
        await call({ method: "GET", path: encodeName(name, isEndpointName) }, options),
      );
    },
    async listEndpoints({ parent, filter, pageToken }, options) {
      const path = `${encodeName(parent, isListParent)}/endpoints`;
      const query = {
        pageSize: "500",
        ...(filter !== "" && { filter }),
        ...(pageToken !== "" && { pageToken }),
      };
      const json = await call({ method: "GET", path, query }, options);
      return {
        endpoints: field(json, "endpoints", isObjectList, []).map(readEndpoint),
        nextPageToken: field(json, "nextPageToken", isString, ""),
        unreachable: field(json, "unreachable", isStringList, []),
      };
    },
    async patchEndpoint({ name, updateMask, endpoint, requestId }, options) {
      const body = writeMasked(endpoint, updateMask);
      const path = encodeName(name, isEndpointName);
      const query = { updateMask: updateMask.join(","), requestId };
      return parseOperation(await call({ method: "PATCH", path, query, body }, options));
    },
    async deleteEndpoint({ name, requestId }, options) {
      const path = encodeName(name, isEndpointName);
      return parseOperation(await call({ method: "DELETE", path, query: { requestId } }, options));
    },
  };
}

/** The fields of an endpoint that a client can write. */
export interface EndpointBody {
  readonly network?: string | undefined;
  readonly severity?: string | undefined;
  readonly description?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly threatExceptions?: readonly string[] | undefined;
  readonly trafficLogs?: boolean | undefined;
}

/**
 * An endpoint as the service returns it.
 *
 * proto3 JSON omits default values: an absent string is `""`, an absent boolean is `false`, and an
 * absent list or map is empty. Enums stay strings, so that a value added later does not break a
 * read.
 *
 * @see {@link https://protobuf.dev/programming-guides/json/}
 */
export interface EndpointResource {
  readonly name: string;
  readonly network: string;
  readonly severity: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly threatExceptions: readonly string[];
  readonly trafficLogs: boolean;
  readonly state: string;
  readonly endpointIp: string;
  readonly endpointForwardingRule: string;
  readonly createTime: string;
  readonly updateTime: string;
}

/** The fields that a client can write. */
export const bodyFields = [
  "network",
  "severity",
  "description",
  "labels",
  "threatExceptions",
  "trafficLogs",
] as const satisfies readonly (keyof EndpointBody)[];

/** Returns the JSON of the non-empty fields. In proto3 JSON, an absent field is empty. */
function writeBody(endpoint: EndpointBody, fields: readonly string[] = bodyFields): Properties {
  return Object.fromEntries(
    bodyFields
      .filter((field) => fields.includes(field) && !isEmpty(endpoint[field]))
      .map((field) => [field, endpoint[field]]),
  );
}

/**
 * Returns the body of a PATCH: only the fields in the mask.
 *
 * @throws TypeError for an empty mask, which means "overwrite everything" to the service, and for a
 * mask with fields that cannot be written
 */
function writeMasked(endpoint: EndpointBody, updateMask: readonly string[]): Properties {
  if (updateMask.length === 0) throw new TypeError("a PATCH needs at least one field in its mask");
  const known: readonly string[] = bodyFields;
  const unknown = updateMask.filter((field) => !known.includes(field));
  if (unknown.length > 0) throw new TypeError(`a PATCH cannot write ${unknown.join(", ")}`);
  return writeBody(endpoint, updateMask);
}

/**
 * Reads the JSON of an endpoint.
 *
 * @throws ApiError `MALFORMED_ANSWER` when a field does not have the type that the API defines
 */
function readEndpoint(json: Properties): EndpointResource {
  const read = <T>(name: string, isRight: (value: unknown) => value is T, absent: T): T =>
    field(json, name, isRight, absent);
  return {
    name: read("name", isString, ""),
    network: read("network", isString, ""),
    severity: read("severity", isString, ""),
    description: read("description", isString, ""),
    labels: read("labels", isStringMap, {}),
    threatExceptions: read("threatExceptions", isStringList, []),
    trafficLogs: read("trafficLogs", isBoolean, false),
    state: read("state", isString, ""),
    endpointIp: read("endpointIp", isString, ""),
    endpointForwardingRule: read("endpointForwardingRule", isString, ""),
    createTime: read("createTime", isString, ""),
    updateTime: read("updateTime", isString, ""),
  };
}

/** @throws ApiError `MALFORMED_ANSWER` when a field has another type */
function field<T>(
  json: Properties,
  name: string,
  isRight: (value: unknown) => value is T,
  absent: T,
): T {
  const value = json[name] ?? absent;
  if (isRight(value)) return value;
  throw malformedAnswer(`the field ${name} in the service's response has the wrong type`);
}

function isEmpty(value: EndpointBody[keyof EndpointBody]): boolean {
  if (typeof value === "object") return Object.keys(value).length === 0;
  return value === undefined || value === "" || value === false;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString);
}

function isObjectList(value: unknown): value is readonly Properties[] {
  return Array.isArray(value) && value.every(isObject);
}

function isStringMap(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isString);
}
