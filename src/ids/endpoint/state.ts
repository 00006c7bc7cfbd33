import type { ArgsOf, PlanOf, StateOf } from "../../schema/infer";
import { sameNetwork } from "./name";
import { bodyFields, type EndpointBody, type EndpointResource } from "./resource";
import type { endpoint } from "./declare";

export type EndpointPlan = PlanOf<typeof endpoint>;
export type EndpointState = StateOf<typeof endpoint>;

/** What the service decides; an endpoint as it was found, or as the state has it, tells it. */
export type Computed = Pick<
  EndpointState,
  "createTime" | "updateTime" | "state" | "endpointIp" | "endpointForwardingRule" | "trafficLogs"
>;

/** What the service tells of itself, as it stands in the state. */
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
 * What was found at the service, in the words of the state before.
 *
 * The service's normal form of a network, its leaving out of empty values, and labels that others put
 * on an endpoint with labels of ours are no drift. What was just imported is taken as it is.
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
    description: found.description === "" ? emptyText(prior.description) : found.description,
    labels: keepLabels(prior.labels, found.labels, isImported),
    threatExceptions:
      found.threatExceptions.length === 0 && prior.threatExceptions === null
        ? null
        : found.threatExceptions,
    trafficLogs: found.trafficLogs,
  };
}

const emptyText = (prior: string | null): string | null => (prior === "" ? "" : null);

type Severity = EndpointState["severity"];

/** A word that the service adds one day must not break a read. */
const keepSeverity = (prior: Severity, found: string): Severity => {
  if (found !== "") return found as Severity;
  return prior === "SEVERITY_UNSPECIFIED" ? prior : null;
};

function keepNetwork(prior: string | null, found: string): string | null {
  if (prior !== null && sameNetwork(prior, found)) return prior;
  return found === "" ? emptyText(prior) : found;
}

type Labels = Readonly<Record<string, string>>;

function keepLabels(prior: Labels | null, found: Labels, isImported: boolean): Labels | null {
  if (isImported) return Object.keys(found).length === 0 ? null : found;
  if (prior === null) return null;
  return Object.fromEntries(Object.entries(found).filter(([key]) => Object.hasOwn(prior, key)));
}

/** A field that can change in place. */
export type ChangeableField = (typeof bodyFields)[number];

/** Arguments that are no fields of the service: the parts of the name, and what is ours alone. */
type NoField = "endpointId" | "location" | "project" | "requestId" | "timeouts";

/** Of the declared arguments those that would never reach the service: `never`, or this does not compile. */
type LostArgument = Exclude<keyof ArgsOf<typeof endpoint>, NoField | ChangeableField>;

const changeable: [LostArgument] extends [never] ? readonly ChangeableField[] : never = bodyFields;

type BodyValues = { readonly [Field in ChangeableField]: EndpointBody[Field] | null };

/** The values that a plan or a state gives the service. */
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

/** The fields in which two bodies differ; absent and empty are the same to the service. */
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

/** The labels to write: ours, and those that others put there. */
export function mergedLabels(ours: Labels, before: Labels, found: Labels): Labels {
  const foreign = Object.entries(found).filter(
    ([key]) => !Object.hasOwn(before, key) && !Object.hasOwn(ours, key),
  );
  return { ...Object.fromEntries(foreign), ...ours };
}
