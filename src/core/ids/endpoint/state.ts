import { type ArgsOf, type ConfigOf, type PlanOf, type StateOf, UNKNOWN } from "../../schema";
import { bodyFields, type EndpointBody, type EndpointResource } from "./client";
import type { endpoint } from "./declare";

export type EndpointPlan = PlanOf<typeof endpoint>;
export type EndpointState = StateOf<typeof endpoint>;

/** The values that the service computes, from a response or from the state. */
export type Computed = Pick<
  EndpointState,
  "createTime" | "updateTime" | "state" | "endpointIp" | "endpointForwardingRule" | "trafficLogs"
>;

type Kept = Partial<Record<"endpointIp" | "endpointForwardingRule" | "state", string>>;

/** The states that an update does not leave as they are. */
const passing = ["STATE_UNSPECIFIED", "CREATING", "UPDATING", "DELETING"];

/**
 * Returns what an update keeps, unless the network changes: the addresses, and that the endpoint is ready. An
 * endpoint that was not ready yet has no addresses.
 */
export function keptValues(
  { network }: Pick<ConfigOf<typeof endpoint>, "network">,
  prior: EndpointState | undefined,
): Kept {
  if (prior === undefined || network === UNKNOWN) return {};
  if (!sameNetwork(network ?? "", prior.network ?? "")) return {};
  const { endpointIp, endpointForwardingRule, state } = prior;
  return {
    ...(endpointIp ? { endpointIp } : {}),
    ...(endpointForwardingRule ? { endpointForwardingRule } : {}),
    ...(state && !passing.includes(state) ? { state } : {}),
  };
}

export function computedState(name: string, found: Computed) {
  return {
    id: name,
    name,
    createTime: found.createTime,
    updateTime: found.updateTime,
    state: found.state,
    endpointIp: found.endpointIp,
    endpointForwardingRule: found.endpointForwardingRule,
  };
}

/**
 * Returns the state for the endpoint that the service returned, without spurious differences from
 * the prior state.
 *
 * The service normalises networks, omits empty values, and returns labels that others have added.
 * None of these is drift. After an import, all values are kept as returned.
 */
export function foundState(
  name: string,
  prior: EndpointState,
  found: EndpointResource,
): EndpointState {
  const isImported = prior.name === null;
  return {
    ...prior,
    ...computedState(name, found),
    network: keepNetwork(prior.network, found.network),
    severity: keepSeverity(prior.severity, found.severity),
    description: found.description === "" ? emptyString(prior.description) : found.description,
    labels: keepLabels(prior.labels, found.labels, isImported),
    threatExceptions:
      found.threatExceptions.length === 0 && prior.threatExceptions === null
        ? null
        : found.threatExceptions,
    trafficLogs: found.trafficLogs,
  };
}

const emptyString = (prior: string | null): string | null => (prior === "" ? "" : null);

type Severity = EndpointState["severity"];

/** Accepts values that the service adds later, so that they do not break a read. */
const keepSeverity = (prior: Severity, found: string): Severity => {
  if (found !== "") return found as Severity;
  return prior === "SEVERITY_UNSPECIFIED" ? prior : null;
};

function keepNetwork(prior: string | null, found: string): string | null {
  if (prior !== null && sameNetwork(prior, found)) return prior;
  return found === "" ? emptyString(prior) : found;
}

type Labels = Readonly<Record<string, string>>;

function keepLabels(prior: Labels | null, found: Labels, isImported: boolean): Labels | null {
  if (isImported) return Object.keys(found).length === 0 ? null : found;
  if (prior === null) return null;
  return Object.fromEntries(Object.entries(found).filter(([key]) => Object.hasOwn(prior, key)));
}

/** A field that can be updated in place. */
export type ChangeableField = (typeof bodyFields)[number];

/** Arguments that are not fields in the API: the parts of the name, and the provider's own. */
type NoField = "endpointId" | "location" | "project" | "requestId" | "timeouts";

/** The declared arguments that would never reach the service. If there are any, this does not compile. */
type LostArgument = Exclude<keyof ArgsOf<typeof endpoint>, NoField | ChangeableField>;

const changeable: [LostArgument] extends [never] ? readonly ChangeableField[] : never = bodyFields;

type BodyValues = { readonly [Field in ChangeableField]: EndpointBody[Field] | null };

export function endpointBody(values: EndpointPlan | EndpointState): EndpointBody {
  const { network, severity, description, labels, threatExceptions, trafficLogs } = values;
  const given: BodyValues = {
    network,
    severity,
    description,
    labels,
    threatExceptions,
    trafficLogs: typeof trafficLogs === "boolean" ? trafficLogs : null,
  };
  // What is not null has the type that the body gives it.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** Returns the fields in which two bodies differ. Absent and empty fields are equal. */
export function changedFields(to: EndpointBody, from: EndpointBody): ChangeableField[] {
  return changeable.filter((field) => {
    if (field === "network" && to.network !== undefined && from.network !== undefined) {
      return !sameNetwork(to.network, from.network);
    }
    return normal(to[field]) !== normal(from[field]);
  });
}

function normal(value: EndpointBody[ChangeableField]): string {
  if (value === undefined || value === "" || value === false) return "";
  if (value === "SEVERITY_UNSPECIFIED") return "";
  if (typeof value !== "object") return String(value);
  const isList = Array.isArray(value);
  const entries = isList ? value : Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? "" : JSON.stringify(entries);
}

/** Returns the labels to write: the configured labels, and labels that others have added. */
export function mergedLabels(ours: Labels, before: Labels, found: Labels): Labels {
  const foreign = Object.entries(found).filter(
    ([key]) => !Object.hasOwn(before, key) && !Object.hasOwn(ours, key),
  );
  return { ...Object.fromEntries(foreign), ...ours };
}

/**
 * Checks whether two strings name the same network. Only the part from `projects/` is compared, so a full URL
 * equals the relative name. Strings without that part must be identical.
 */
function sameNetwork(a: string, b: string): boolean {
  return relativeNetwork(a) === relativeNetwork(b);
}

function relativeNetwork(value: string): string {
  return /(?:^|\/)(projects\/.*)$/.exec(value)?.[1] ?? value;
}
