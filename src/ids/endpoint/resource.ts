import { isObject } from "../../json/is-object";
import { ApiError } from "../client/api-error";
import type { JsonObject } from "../client/json";

/** What a caller sends: the fields of an endpoint that can be written. */
export interface EndpointBody {
  readonly network?: string | undefined;
  readonly severity?: string | undefined;
  readonly description?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly threatExceptions?: readonly string[] | undefined;
  readonly trafficLogs?: boolean | undefined;
}

/**
 * An endpoint as the service tells it.
 *
 * proto3 JSON leaves defaults out, so an absent string is `""`, an absent flag is `false`, an
 * absent list or map is empty. Enumerations stay strings: a value added later must not break a
 * read.
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

/** The fields that hold something; in proto3 JSON an absent field is an empty one. */
export function writeBody(
  endpoint: EndpointBody,
  fields: readonly string[] = bodyFields,
): JsonObject {
  return Object.fromEntries(
    bodyFields
      .filter((field) => fields.includes(field) && !isEmpty(endpoint[field]))
      .map((field) => [field, endpoint[field]]),
  );
}

/**
 * The body of a PATCH: what the mask names, nothing else.
 *
 * @throws TypeError for an empty mask, which the service takes for "overwrite everything", and for
 *   one that names what cannot be written.
 */
export function writeMasked(endpoint: EndpointBody, updateMask: readonly string[]): JsonObject {
  if (updateMask.length === 0) throw new TypeError("a PATCH needs at least one field in its mask");
  const known: readonly string[] = bodyFields;
  const unknown = updateMask.filter((field) => !known.includes(field));
  if (unknown.length > 0) throw new TypeError(`a PATCH cannot write ${unknown.join(", ")}`);
  return writeBody(endpoint, updateMask);
}

/** @throws ApiError `MALFORMED_ANSWER` when a field has another type than the API gives it. */
export function readEndpoint(json: JsonObject): EndpointResource {
  const read = <T>(field: string, isRight: (value: unknown) => value is T, absent: T): T => {
    const value = json[field] ?? absent;
    if (isRight(value)) return value;
    const message = `the service's answer holds a ${field} that is not of its type`;
    throw new ApiError({ code: "MALFORMED_ANSWER", message, httpStatus: 200 });
  };
  return {
    name: read("name", isText, ""),
    network: read("network", isText, ""),
    severity: read("severity", isText, ""),
    description: read("description", isText, ""),
    labels: read("labels", isTextMap, {}),
    threatExceptions: read("threatExceptions", isTextList, []),
    trafficLogs: read("trafficLogs", isFlag, false),
    state: read("state", isText, ""),
    endpointIp: read("endpointIp", isText, ""),
    endpointForwardingRule: read("endpointForwardingRule", isText, ""),
    createTime: read("createTime", isText, ""),
    updateTime: read("updateTime", isText, ""),
  };
}

function isEmpty(value: EndpointBody[keyof EndpointBody]): boolean {
  if (typeof value === "object") return Object.keys(value).length === 0;
  return value === undefined || value === "" || value === false;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isTextMap(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isText);
}
