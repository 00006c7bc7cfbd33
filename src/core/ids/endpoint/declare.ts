import { isObject } from "../../json/plain-json";
import {
  advise,
  computed,
  optional,
  optionalForImport,
  required,
  requiredForImport,
  optionalComputed,
  resource,
  rule,
  t,
  stringRule,
} from "../../schema";

/** The lowest severity of a threat that an endpoint alerts on. */
export const endpointSeverities = {
  SEVERITY_UNSPECIFIED: "Not set. The service refuses an endpoint with this value.",
  INFORMATIONAL: "Informational alerts.",
  LOW: "Low severity alerts.",
  MEDIUM: "Medium severity alerts.",
  HIGH: "High severity alerts.",
  CRITICAL: "Critical severity alerts.",
} as const;

const severityValues = Object.keys(
  endpointSeverities,
) as readonly (keyof typeof endpointSeverities)[];

export const endpointIdRule = stringRule([
  [/^[a-z]/, "must start with a lowercase letter"],
  [/^[a-z\d-]*$/, "must consist of lowercase letters, digits and hyphens"],
  [/^[^]{0,63}$/, "must be at most 63 characters long"],
  [/(?<!-)$/, "must not end with a hyphen"],
]);

const requestId = stringRule([
  [/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i, "must be a UUID"],
  [/[^0-]/, "must not be the all-zero UUID, which the service does not support"],
]);

/** The allowed segments of a name, including legacy projects of a domain (`example.com:web`). */
export const nameSegmentRule = stringRule([
  [
    /^[A-Za-z\d]([\w.:~-]*[A-Za-z\d])?$/,
    "must consist of letters, digits and . _ : ~ -, and start and end with a letter or digit",
  ],
]);

const network = stringRule(
  [
    [
      /^(https:\/\/[^/\s]+\/.*)?projects\/[^/\s]+\/global\/networks\/[^/\s]+$/,
      "should be the network's fully qualified URL, such as `projects/my-project/global/networks/my-network`",
    ],
  ],
  { warning: "endpoint-network-form" },
);

const maxThreatExceptions = 99;

const fewThreatExceptions = `should contain at most ${maxThreatExceptions} threat IDs; the service refuses more`;

const threatExceptions = rule(
  fewThreatExceptions,
  (z) => z.unknown().check(z.maxLength(maxThreatExceptions, fewThreatExceptions)),
  {
    warning: "endpoint-many-exceptions",
    accepts: (list) => Array.isArray(list) && list.length <= maxThreatExceptions,
  },
);

const labelKey =
  "keys should start with a lowercase letter, followed by up to 62 lowercase letters, digits, _ or -";
const labelValue = "values should consist of up to 63 lowercase letters, digits, _ or -";
const maxLabels = 64;
const labelCount = `should contain at most ${maxLabels} labels`;

const labelKeyPattern = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\d_-]{0,62}$/u;
const labelValuePattern = /^[\p{Ll}\p{Lo}\d_-]{0,63}$/u;

const isLabel = ([key, value]: readonly [string, unknown]): boolean =>
  typeof value === "string" && labelKeyPattern.test(key) && labelValuePattern.test(value);

function areFewLabels(map: unknown): boolean {
  if (!isObject(map)) return false;
  const labels = Object.entries(map);
  return labels.length <= maxLabels && labels.every(isLabel);
}

const labels = rule(
  [labelKey, labelValue, labelCount],
  (z) =>
    z
      .record(
        z.string().check(z.regex(labelKeyPattern, labelKey)),
        z.string().check(z.regex(labelValuePattern, labelValue)),
      )
      .check(z.refine((map) => Object.keys(map).length <= maxLabels, labelCount)),
  { warning: "endpoint-labels", accepts: areFewLabels },
);

/** The code of the warning about a location that is not a zone. The provider checks its own default location as well. */
export const notZonal = "endpoint-not-zonal";

/** Checks whether a location has the form of a zone, such as `us-central1-a`. */
export const isZone = (location: string): boolean => /\d-[a-z]$/.test(location);

const hourMs = 60 * 60 * 1000;

/** An endpoint of the intrusion detection service. */
export const endpoint = resource("ids_endpoint", {
  doc:
    "An endpoint of the cloud intrusion detection service. It is attached to a network and alerts on " +
    "threats at or above a severity. The service's own packages for this resource are marked as preview and deprecated.",
  attributes: {
    endpointId: required(t.string(endpointIdRule), {
      doc: "ID of the endpoint, the last part of its name. There is no automatic naming.",
      requiresReplace: true,
    }),
    location: optionalComputed(t.string(nameSegmentRule), {
      doc:
        "Location of the endpoint: a zone, such as `us-central1-f`. " +
        "By default, the provider's `zone`, else its `region`.",
      requiresReplace: true,
    }),
    project: optionalComputed(t.string(nameSegmentRule), {
      doc: "Project of the endpoint. By default, the provider's `project`.",
      requiresReplace: true,
    }),
    network: optional(t.string(network), {
      doc:
        "Fully qualified URL of the network to which the endpoint is attached. The network needs private services " +
        "access before the endpoint is created.",
    }),
    severity: optional(t.oneOf(severityValues), {
      doc: "Lowest threat severity that the endpoint alerts on.",
    }),
    description: optional(t.string(), { doc: "User-provided description of the endpoint." }),
    labels: optional(t.map(t.string(), labels), { doc: "Labels of the endpoint." }),
    requestId: optional(t.string(requestId), {
      doc:
        "Idempotency key of the create request. The service ignores a repeated request with the same key for " +
        "at least 60 minutes. By default, every request has a different random key.",
    }),
    threatExceptions: optional(t.list(t.string(), threatExceptions), {
      doc: "Threat IDs that do not generate alerts.",
    }),
    trafficLogs: optionalComputed(t.bool(), {
      doc: "Whether the endpoint reports traffic logs in addition to threat logs.",
      default: false,
    }),
    createTime: computed(t.string(), {
      doc: "When the endpoint was created (RFC 3339).",
      useStateForUnknown: true,
    }),
    endpointForwardingRule: computed(t.string(), {
      doc: "Fully qualified URL of the endpoint's internal load balancer forwarding rule.",
    }),
    endpointIp: computed(t.string(), {
      doc: "IP address of the endpoint's internal load balancer.",
    }),
    id: computed(t.string(), {
      doc: "Unique ID of the resource: its `name`.",
      useStateForUnknown: true,
    }),
    name: computed(t.string(), {
      doc: "Name of the endpoint: `projects/P/locations/L/endpoints/E`.",
      useStateForUnknown: true,
    }),
    state: computed(t.string(), {
      doc: "Current state of the endpoint, such as `CREATING`, `READY`, `UPDATING` or `DELETING`.",
    }),
    updateTime: computed(t.string(), { doc: "When the endpoint last changed (RFC 3339)." }),
  },
  rules: [
    advise({
      code: "endpoint-without-network",
      name: "network",
      doc: "should be set; the service refuses to create an endpoint without a network",
      when: ({ network }) => network === undefined || network === null,
    }),
    advise({
      code: "endpoint-without-severity",
      name: "severity",
      doc: "should be set to a value other than SEVERITY_UNSPECIFIED; the service refuses an endpoint without a severity",
      when: ({ severity }) =>
        severity === undefined || severity === null || severity === "SEVERITY_UNSPECIFIED",
    }),
    advise({
      code: notZonal,
      name: "location",
      doc: "should be a zone, such as us-central1-f; endpoints are zonal",
      when: ({ location }) => typeof location === "string" && !isZone(location),
    }),
  ],
  timeouts: { create: hourMs, update: hourMs, delete: hourMs },
  importId: [
    "projects/{project}/locations/{location}/endpoints/{endpointId}",
    "{project}/{location}/{endpointId}",
    "{location}/{endpointId}",
  ],
  identity: {
    attributes: {
      project: optionalForImport(t.string(nameSegmentRule), {
        doc: "Project of the endpoint. By default, the provider's `project`.",
      }),
      location: requiredForImport(t.string(nameSegmentRule), {
        doc: "Location of the endpoint: a zone, such as `us-central1-f`.",
      }),
      endpointId: requiredForImport(t.string(endpointIdRule), {
        doc: "ID of the endpoint, the last part of its name.",
      }),
    },
  },
});
