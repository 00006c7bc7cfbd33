import { isObject, parsedJson } from "../../../core/json/plain-json";
import { type FieldViolation, invalidFields, rpcError, toSnakeCase } from "../rpc/call";

/** The severities, by their numbers in the proto. */
const endpointSeverities = [
  "SEVERITY_UNSPECIFIED",
  "INFORMATIONAL",
  "LOW",
  "MEDIUM",
  "HIGH",
  "CRITICAL",
] as const;

/** The limit that Google documents. */
const maxThreatExceptions = 99;

const noLabels: Readonly<Record<string, string>> = {};
const noThreats: readonly string[] = [];

export const emptyFields = {
  network: "",
  severity: "SEVERITY_UNSPECIFIED",
  description: "",
  labels: noLabels,
  threatExceptions: noThreats,
  trafficLogs: false,
};

export type EndpointFields = Readonly<typeof emptyFields>;

/** Output-only fields. They are accepted in a body and ignored, as the service does. */
const outputFields = [
  "name",
  "createTime",
  "updateTime",
  "state",
  "endpointIp",
  "endpointForwardingRule",
  "satisfiesPzi",
  "satisfiesPzs",
] as const;

type Field = keyof EndpointFields;

/** Functions that return the problem with a value; undefined when it is valid. */
const problems: Readonly<Record<Field, (value: unknown) => string | undefined>> = {
  network: (value) => (isString(value) ? undefined : "must be a string"),
  description: (value) => (isString(value) ? undefined : "must be a string"),
  severity: (value) =>
    endpointSeverities.some((known, number) => value === known || value === number)
      ? undefined
      : `must be one of ${endpointSeverities.slice(1).join(", ")}`,
  labels: (value) =>
    isObject(value) && Object.values(value).every(isString)
      ? undefined
      : "must be a map of strings",
  threatExceptions: (value) =>
    Array.isArray(value) && value.every(isString) ? undefined : "must be a list of strings",
  trafficLogs: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
};

export const endpointFields = Object.keys(problems).filter(
  (name): name is Field => name in emptyFields,
);

/** Collects the fields of an endpoint, each from the values that `from` returns for it. */
function collectFields(from: (name: Field) => EndpointFields): EndpointFields {
  const collected = { ...emptyFields };
  for (const name of endpointFields) copyField(collected, from(name), name);
  return collected;
}

function copyField<Name extends Field>(
  to: Pick<typeof emptyFields, Name>,
  from: Pick<EndpointFields, Name>,
  name: Name,
): void {
  to[name] = from[name];
}

/**
 * Reads the JSON of an endpoint by the rules of proto3: both spellings of a name, null for the
 * default, and numbers for enums. Unknown names are refused.
 *
 * @throws HttpFailure when the JSON is invalid
 */
export function parseEndpoint(body: string): Partial<EndpointFields> {
  const json = parseObject(body);
  const violations: FieldViolation[] = [];
  const fields: Partial<Record<Field, unknown>> = {};
  for (const [key, value] of Object.entries(json)) {
    const field = endpointFields.find((name) => name === key || toSnakeCase(name) === key);
    if (field === undefined) {
      if (outputFields.some((name) => name === key || toSnakeCase(name) === key)) continue;
      const description = `Unknown name ${JSON.stringify(key)} at 'endpoint': Cannot find field.`;
      violations.push({ field: "endpoint", description });
      continue;
    }
    if (value === null) continue;
    const description = problems[field](value);
    if (description !== undefined) {
      violations.push({ field: `endpoint.${toSnakeCase(field)}`, description });
    }
    fields[field] =
      field === "severity" && typeof value === "number" ? endpointSeverities[value] : value;
  }
  if (violations.length > 0 || !areFields(fields)) throw invalidFields(violations);
  return fields;
}

/** @throws HttpFailure if the endpoint has no network or no severity, or too many threat exceptions */
export function checkFields(fields: EndpointFields): EndpointFields {
  const violations: FieldViolation[] = [];
  if (fields.network === "") {
    violations.push({ field: "endpoint.network", description: "a network is required" });
  }
  if (fields.severity === "SEVERITY_UNSPECIFIED") {
    violations.push({ field: "endpoint.severity", description: "a severity is required" });
  }
  const { length } = fields.threatExceptions;
  if (length > maxThreatExceptions) {
    violations.push({
      field: "endpoint.threat_exceptions",
      description: `at most ${maxThreatExceptions} are allowed (got ${length})`,
    });
  }
  if (violations.length > 0) throw invalidFields(violations);
  return fields;
}

function areFields(
  values: Readonly<Partial<Record<Field, unknown>>>,
): values is Partial<EndpointFields> {
  return endpointFields.every((name) => {
    const value = values[name];
    return value === undefined || problems[name](value) === undefined;
  });
}

/** Parses a body, which must be an object or empty. @throws HttpFailure */
export function parseObject(body: string): Readonly<Record<string, unknown>> {
  if (body.trim() === "") return {};
  const json = parsedJson(body);
  if (json === undefined) {
    throw rpcError("INVALID_ARGUMENT", "Invalid JSON payload received: it cannot be parsed.");
  }
  if (isObject(json)) return json;
  throw rpcError("INVALID_ARGUMENT", "Invalid JSON payload received: it must be an object.");
}

const isString = (value: unknown): value is string => typeof value === "string";

/**
 * Returns the endpoint after a PATCH. The fields in the mask get the value in the body, or their default. Without a
 * mask, or with `*`, all fields are written.
 */
export function applyMask(
  current: EndpointFields,
  sent: Partial<EndpointFields>,
  mask: string | undefined,
): EndpointFields {
  const fields =
    mask === undefined || mask === "" || mask === "*" ? endpointFields : parseMask(mask);
  const written = { ...emptyFields, ...sent };
  return collectFields((name) => (fields.includes(name) ? written : current));
}

function parseMask(mask: string): readonly (keyof EndpointFields)[] {
  const paths = mask.split(",").map((path) => path.trim());
  const known = paths.map((path) =>
    endpointFields.find((name) => name === path || toSnakeCase(name) === path),
  );
  const violations = paths
    .filter((_, index) => known[index] === undefined)
    .map((path) => ({ field: "update_mask", description: explain(path) }));
  if (violations.length > 0) throw invalidFields(violations);
  return known.filter((field) => field !== undefined);
}

function explain(path: string): string {
  const isOutput = outputFields.some((name) => name === path || toSnakeCase(name) === path);
  return `${JSON.stringify(path)} ${isOutput ? "cannot be changed" : "is not a field of an endpoint"}`;
}
