import { isObject } from "../../json/is-object";
import { ApiError } from "../client/api-error";
import type { Properties } from "../../json/is-object";

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
export function writeBody(
  endpoint: EndpointBody,
  fields: readonly string[] = bodyFields,
): Properties {
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
export function writeMasked(endpoint: EndpointBody, updateMask: readonly string[]): Properties {
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
export function readEndpoint(json: Properties): EndpointResource {
  const read = <T>(field: string, isRight: (value: unknown) => value is T, absent: T): T => {
    const value = json[field] ?? absent;
    if (isRight(value)) return value;
    const message = `the field ${field} in the service's response has the wrong type`;
    throw new ApiError({ code: "MALFORMED_ANSWER", message, httpStatus: 200 });
  };
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

function isStringMap(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isString);
}
