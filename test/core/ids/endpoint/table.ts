import { UNKNOWN } from "../../../../src/core/schema";
import type { Kinds, Noun } from "../../../accept/noun";
import {
  advice,
  invalid,
  missing,
  onConstruct,
  rowsOn,
  unknownProperty,
  wrongType,
} from "../../../accept/row";
import type { AcceptanceRow, ChangeRow } from "../../../accept/table";

/** The spec's table of inputs. */
const inputs: Kinds = {
  endpointId: "string",
  network: "string",
  severity: "enum",
  description: "string",
  labels: "map",
  location: "string",
  project: "string",
  requestId: "string",
  threatExceptions: "list",
  trafficLogs: "bool",
};

/** The spec's table of outputs, in addition to the inputs. */
const outputs: Kinds = {
  createTime: "string",
  endpointForwardingRule: "string",
  endpointIp: "string",
  id: "string",
  name: "string",
  state: "string",
  updateTime: "string",
};

/** The spec's table of severities. */
export const severities: readonly string[] = [
  "SEVERITY_UNSPECIFIED",
  "INFORMATIONAL",
  "LOW",
  "MEDIUM",
  "HIGH",
  "CRITICAL",
];

const base = {
  endpointId: "edge",
  location: "us-central1-f",
  network: "https://www.googleapis.com/compute/v1/projects/p/global/networks/n",
  severity: "HIGH",
};

const uuid = "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6f";

const { accepts, refuses, warns } = rowsOn(base);

/**
 * "Must start with a lowercase letter, followed by up to 62 lowercase letters, digits or hyphens.
 * Must not end with a hyphen."
 */
const endpointId: readonly AcceptanceRow[] = [
  accepts("an endpointId of one letter", { endpointId: "a" }),
  accepts("letters, digits and hyphens", { endpointId: "a-1--b2" }),
  accepts("an endpointId of 63 characters", { endpointId: `a${"b".repeat(62)}` }),
  accepts("an endpointId that ends with a digit", { endpointId: "edge-1" }),
  accepts("an unknown endpointId", { endpointId: UNKNOWN }),
  refuses("no endpointId", { endpointId: undefined }, missing("endpointId")),
  refuses("an empty endpointId", { endpointId: "" }, invalid("endpointId")),
  refuses(
    "an endpointId of 64 characters",
    { endpointId: `a${"b".repeat(63)}` },
    invalid("endpointId"),
  ),
  refuses("a capital at the start", { endpointId: "Edge" }, invalid("endpointId")),
  refuses("a digit at the start", { endpointId: "1edge" }, invalid("endpointId")),
  refuses("a hyphen at the start", { endpointId: "-edge" }, invalid("endpointId")),
  refuses("a hyphen at the end", { endpointId: "edge-" }, invalid("endpointId")),
  refuses("a capital inside", { endpointId: "eDge" }, invalid("endpointId")),
  refuses("an underscore", { endpointId: "my_edge" }, invalid("endpointId")),
  refuses("a dot", { endpointId: "my.edge" }, invalid("endpointId")),
  refuses("a blank", { endpointId: "my edge" }, invalid("endpointId")),
  refuses("a letter of another alphabet", { endpointId: "édge" }, invalid("endpointId")),
  refuses("a line break at the end", { endpointId: "edge\n" }, invalid("endpointId")),
];

const network: readonly AcceptanceRow[] = [
  accepts("a full URL", {}),
  accepts("a URL from projects/ on", { network: "projects/p/global/networks/n" }),
  accepts("an unknown network", { network: UNKNOWN }),
  warns("no network, which the service needs", { network: undefined }, advice("network")),
];

const severity: readonly AcceptanceRow[] = [
  ...severities.map((word) => accepts(`the severity ${word}`, { severity: word })),
  accepts("an unknown severity", { severity: UNKNOWN }),
  refuses("a severity that is no value", { severity: "SEVERE" }, invalid("severity")),
  refuses("a severity in lowercase", { severity: "high" }, invalid("severity")),
  refuses("an empty severity", { severity: "" }, invalid("severity")),
  warns("no severity, which the service needs", { severity: undefined }, advice("severity")),
];

const texts: readonly AcceptanceRow[] = [
  accepts("a description", { description: "Watches the edge" }),
  accepts("a description of several lines and alphabets", { description: "Ränder\n境界 🙂" }),
  accepts("an empty description", { description: "" }),
  accepts("an unknown description", { description: UNKNOWN }),
  accepts("a location", { location: "europe-west1-b" }),
  accepts("no location", { location: undefined }),
  accepts("an unknown location", { location: UNKNOWN }),
  accepts("a project", { project: "my-project" }),
  accepts("no project", { project: undefined }),
  accepts("an unknown project", { project: UNKNOWN }),
];

const labels: readonly AcceptanceRow[] = [
  accepts("labels", { labels: { team: "security", stage: "" } }),
  accepts("no labels", { labels: {} }),
  accepts("unknown labels", { labels: UNKNOWN }),
  accepts("a label whose value is unknown", { labels: { team: UNKNOWN, stage: "demo" } }),
];

/** "Must be a valid UUID; the all-zero UUID is unsupported." */
const requestId: readonly AcceptanceRow[] = [
  accepts("a UUID", { requestId: uuid }),
  accepts("a UUID in uppercase", { requestId: uuid.toUpperCase() }),
  accepts("a UUID of another version", { requestId: "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d" }),
  accepts("an unknown requestId", { requestId: UNKNOWN }),
  refuses("an empty requestId", { requestId: "" }, invalid("requestId")),
  refuses("a requestId that is no UUID", { requestId: "once" }, invalid("requestId")),
  refuses("a UUID without hyphens", { requestId: uuid.replaceAll("-", "") }, invalid("requestId")),
  refuses("a UUID in braces", { requestId: `{${uuid}}` }, invalid("requestId")),
  refuses("a UUID and more", { requestId: `${uuid}0` }, invalid("requestId")),
  refuses(
    "the all-zero UUID",
    { requestId: "00000000-0000-0000-0000-000000000000" },
    invalid("requestId"),
  ),
];

const threats = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${10000 + i}`);

const threatExceptions: readonly AcceptanceRow[] = [
  accepts("threat exceptions", { threatExceptions: ["85998", "30013"] }),
  accepts("an empty list of threat exceptions", { threatExceptions: [] }),
  accepts("99 threat exceptions", { threatExceptions: threats(99) }),
  accepts("an unknown list of threat exceptions", { threatExceptions: UNKNOWN }),
  accepts("an unknown threat exception", { threatExceptions: ["85998", UNKNOWN] }),
  warns(
    "100 threat exceptions, one more than the service takes",
    { threatExceptions: threats(100) },
    advice("threatExceptions"),
  ),
];

const trafficLogs: readonly AcceptanceRow[] = [
  accepts("traffic logs", { trafficLogs: true }),
  accepts("no traffic logs", { trafficLogs: false }),
  accepts("unknown traffic logs", { trafficLogs: UNKNOWN }),
];

/** Beyond the spec: the block that Terraform users expect. */
const timeouts: readonly AcceptanceRow[] = [
  accepts("timeouts", { timeouts: { create: "30m", update: "90s", delete: "1h30m" } }),
  accepts("an unknown timeout", { timeouts: { create: UNKNOWN } }),
  refuses(
    "a timeout that is not a duration",
    { timeouts: { create: "soon" } },
    invalid("timeouts", "create"),
  ),
  refuses("a timeout of zero", { timeouts: { delete: "0s" } }, invalid("timeouts", "delete")),
];

const wrongTypes: readonly AcceptanceRow[] = onConstruct([
  refuses("a number as the endpointId", { endpointId: 7 }, wrongType("endpointId")),
  refuses("an object as the network", { network: {} }, wrongType("network")),
  refuses("a number as the severity", { severity: 4 }, wrongType("severity")),
  refuses("a list as the labels", { labels: ["team"] }, wrongType("labels")),
  refuses("a number as a label", { labels: { team: 1 } }, wrongType("labels", "team")),
  refuses(
    "a string as the list of exceptions",
    { threatExceptions: "1" },
    wrongType("threatExceptions"),
  ),
  refuses("a number as an exception", { threatExceptions: [1] }, wrongType("threatExceptions", 0)),
  refuses("a string as traffic logs", { trafficLogs: "yes" }, wrongType("trafficLogs")),
  ...Object.keys(outputs).map((output) =>
    refuses(`the output ${output} as an input`, { [output]: "x" }, unknownProperty(output)),
  ),
  refuses("an input that there is not", { colour: "red" }, unknownProperty("colour")),
]);

const together: readonly AcceptanceRow[] = [
  accepts("arguments that are all unknown", allUnknown()),
  refuses(
    "all invalid arguments at once",
    { endpointId: "Edge", severity: "SEVERE", requestId: "once" },
    invalid("endpointId"),
    invalid("severity"),
    invalid("requestId"),
  ),
];

function allUnknown(): object {
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, UNKNOWN]));
}

/** Every rule of the spec on the arguments of an endpoint. */
const rows: readonly AcceptanceRow[] = [
  ...endpointId,
  ...network,
  ...severity,
  ...texts,
  ...labels,
  ...requestId,
  ...threatExceptions,
  ...trafficLogs,
  ...timeouts,
  ...wrongTypes,
  ...together,
];

/** "Changing endpointId, location or project forces replacement of the resource." */
const changes: readonly ChangeRow[] = [
  { input: "endpointId", from: "edge", to: "rim", replaces: true },
  { input: "location", from: "us-central1-f", to: "us-central1-a", replaces: true },
  { input: "project", from: "p", to: "q", replaces: true },
  {
    input: "network",
    from: "projects/p/global/networks/n",
    to: "projects/p/global/networks/m",
    replaces: false,
  },
  { input: "severity", from: "HIGH", to: "LOW", replaces: false },
  { input: "description", from: "before", to: "after", replaces: false },
  { input: "labels", from: { team: "a" }, to: { team: "b" }, replaces: false },
  { input: "requestId", from: undefined, to: uuid, replaces: false },
  { input: "threatExceptions", from: ["1"], to: ["1", "2"], replaces: false },
  { input: "trafficLogs", from: false, to: true, replaces: false },
];

/** The spec's Endpoint. */
export const endpoint: Noun = {
  kind: "resource",
  typeName: "ids_endpoint",
  construct: "ids.Endpoint",
  base,
  inputs,
  outputs,
  wire: {},
  rows,
  builds: [],
  changes,
};
