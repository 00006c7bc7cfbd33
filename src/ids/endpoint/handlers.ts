import { randomUUID } from "node:crypto";
import {
  type ChangeContext,
  implement,
  type Intent,
  type OperationContext,
  ProviderError,
  UNKNOWN,
} from "../../provider-kit";
import { ApiError } from "../client/api-error";
import { type Operation, runningOperation } from "../client/operation";
import { formatParent } from "../client/resource-name";
import { type EndpointClient, endpointClient } from "./client";
import { formatEndpointName } from "./name";
import type { EndpointResource } from "./resource";
import { importForms } from "../../schema/import-form";
import { endpoint } from "./declare";
import type { Ids } from "../provider/configure";
import {
  changedFields,
  type ChangeableField,
  type Computed,
  computedState,
  endpointBody,
  type EndpointPlan,
  type EndpointState,
  foundState,
  keptAddresses,
  mergedLabels,
} from "./state";
import { knownPlace, planPlace } from "./place";
import { type Attempt, isAboutLocation, isZone, serviceError } from "./service-error";
import { zonesNear } from "./zones";

type Change = ChangeContext<EndpointState, Ids>;

/** The handlers that manage endpoints. */
export const endpointHandlers = implement(endpoint)<Ids>({
  async plan({ config, prior, drafted }, { client, signal, warn }) {
    const place = await planPlace(config, drafted, client, signal);
    // The declaration warns about a location in the configuration.
    if (typeof place.decided.location === "string" && !isZone(place.decided.location)) {
      warn(regionWarning(place.decided.location));
    }
    const { endpointId } = config;
    const { project, location } = place;
    const isKnown = endpointId !== UNKNOWN && project !== UNKNOWN && location !== UNKNOWN;
    const name = isKnown ? formatEndpointName({ project, location, endpointId }) : UNKNOWN;
    return { ...place.decided, ...keptAddresses(drafted, prior), id: name, name };
  },

  async create(plan, context) {
    const place = knownPlace(plan);
    const name = formatEndpointName(place);
    try {
      const found = await createOnce(name, formatParent(place), plan, context);
      return stateOf(plan, name, found);
    } catch (error) {
      const isLocated = error instanceof ApiError && isAboutLocation(error);
      const zones = isLocated
        ? await zonesNear(context.client.client(), place, context)
        : undefined;
      throw serviceError(error, { verb: "create", name, zones });
    }
  },

  async read(state, context) {
    const name = formatEndpointName(knownPlace(state));
    const attempt: Attempt = { verb: "read", name };
    await context.client.journal.confirm(intentKey(context.client, name));
    const found = await explained(attempt, () =>
      goneAsUndefined(() => endpointsOf(context).getEndpoint(name, context)),
    );
    return found === undefined ? undefined : foundState(name, state, found);
  },

  async update(plan, state, context) {
    const name = formatEndpointName(knownPlace(state));
    await context.client.journal.confirm(intentKey(context.client, name));
    const changed = changedFields(endpointBody(plan), endpointBody(state));
    // The service does not store request IDs and timeouts, and an empty mask would mean all fields.
    if (changed.length === 0) return stateOf(plan, name, state);
    const found = await explained({ verb: "update", name, changed }, () =>
      patch(name, plan, changed, state, context),
    );
    return stateOf(plan, name, found);
  },

  async delete(state, context) {
    const name = formatEndpointName(knownPlace(state));
    await explained({ verb: "delete", name }, () =>
      goneAsUndefined(async () => {
        const api = endpointsOf(context);
        const operation = await api.deleteEndpoint({ name, requestId: randomUUID() }, context);
        await api.waitForOperation(operation, context);
      }),
    );
    // The journal may still contain the create request. Sent again, the service would ignore it.
    await context.client.journal.forget(intentKey(context.client, name));
  },

  import({ endpointId, location, project }, { client }) {
    const fullName = `Import the full name ${importForms(endpoint)[0] ?? ""}`;
    return {
      // Each form contains both.
      endpointId: endpointId ?? "",
      location: location ?? "",
      project: project ?? defaultProject(client, "import ID", fullName),
    };
  },

  importByIdentity({ endpointId, location, project }, { client }) {
    return {
      endpointId,
      location,
      project: project ?? defaultProject(client, "identity", "Add the project to it"),
    };
  },
});

/** @throws ProviderError when the provider has no project, or does not know it yet */
function defaultProject({ project }: Ids, target: string, otherwise: string): string {
  if (typeof project === "string") return project;
  throw new ProviderError({
    summary: "Missing Project",
    detail:
      `The ${target} has no project, and the provider has no default project. ${otherwise}, ` +
      "or set the provider's project.",
  });
}

/**
 * Creates an endpoint. A repeated request, even by a later process after a crash, does not create a
 * second one. A creation that ran out of time is continued.
 */
async function createOnce(
  name: string,
  parent: string,
  plan: EndpointPlan,
  context: Change,
): Promise<EndpointResource> {
  const { journal } = context.client;
  const api = endpointsOf(context);
  const intent = await journal.begin(intentKey(context.client, name), plan.requestId ?? undefined);
  const { endpointId } = plan;
  const { requestId } = intent;
  let operation: Operation | undefined;
  try {
    if (intent.operation !== undefined) {
      const { state } = await api.getEndpoint(name, context);
      const isDone = state !== "CREATING";
      operation = { ...runningOperation(intent.operation), done: isDone, hasResponse: isDone };
    } else {
      const request = { parent, endpointId, endpoint: endpointBody(plan), requestId };
      operation = await api.createEndpoint(request, context);
    }
    await api.waitForOperation(operation, context);
    const found = await api.getEndpoint(name, context);
    const created = await asPlanned(name, plan, found, intent, context);
    intent.complete();
    return created;
  } catch (error) {
    if (isDeadline(error) && operation !== undefined && (await intent.leave(operation.name))) {
      throw serviceError(error, { verb: "create", name, isLeft: true });
    }
    if (operation !== undefined) context.save({ id: name, name });
    // Not if the outcome is open: Terraform may have been killed and never store the tainted
    // endpoint.
    if (isOutcomeOpen(error)) intent.abandon();
    else await intent.settle();
    const isGone = isNotFound(error) && (operation !== undefined || intent.operation !== undefined);
    if (operation !== undefined && isInterrupt(error)) {
      throw serviceError(error, { verb: "create", name, isTainted: true });
    }
    if (!isGone) throw error;
    if (!intent.isRepeat) throw ignoredRequest(name, requestId);
    // The endpoint that the earlier process created has been deleted since, or was never created.
    return createOnce(name, parent, plan, context);
  }
}

const endpointsOf = ({ client }: OperationContext<Ids>): EndpointClient =>
  endpointClient(client.client());

const intentKey = ({ baseUrl }: Ids, name: string): string => `${baseUrl}${name}`;

/** A repeated request returns the endpoint of the first request, whose values may differ. */
async function asPlanned(
  name: string,
  plan: EndpointPlan,
  found: EndpointResource,
  intent: Intent,
  context: Change,
): Promise<EndpointResource> {
  if (!intent.isRepeat) return found;
  const changed = changedFields(endpointBody(plan), found);
  return changed.length === 0 ? found : patch(name, plan, changed, undefined, context);
}

async function patch(
  name: string,
  plan: EndpointPlan,
  changed: readonly ChangeableField[],
  state: EndpointState | undefined,
  context: OperationContext<Ids>,
): Promise<EndpointResource> {
  const api = endpointsOf(context);
  let body = endpointBody(plan);
  if (changed.includes("labels") && state !== undefined) {
    const found = await api.getEndpoint(name, context);
    const labels = mergedLabels(plan.labels ?? {}, state.labels ?? {}, found.labels);
    body = { ...body, labels };
  }
  const request = { name, updateMask: changed, endpoint: body, requestId: randomUUID() };
  await api.waitForOperation(await api.patchEndpoint(request, context), context);
  return api.getEndpoint(name, context);
}

/** The state after a plan was applied: the planned values, and computed values from `found`. */
const stateOf = (plan: EndpointPlan, name: string, found: Computed): EndpointState => ({
  ...plan,
  ...knownPlace(plan),
  ...computedState(name, found),
  // What the plan has promised. A difference appears with the next refresh.
  ...(typeof plan.endpointIp === "string" ? { endpointIp: plan.endpointIp } : {}),
  ...(typeof plan.endpointForwardingRule === "string"
    ? { endpointForwardingRule: plan.endpointForwardingRule }
    : {}),
  trafficLogs: plan.trafficLogs === UNKNOWN ? found.trafficLogs : plan.trafficLogs,
});

async function explained<T>(attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw serviceError(error, attempt);
  }
}

async function goneAsUndefined<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "NOT_FOUND";

const isDeadline = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "DEADLINE";

const isInterrupt = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "CANCELLED_BY_USER";

/** Whether the request may have succeeded although no response arrived. */
const isOutcomeOpen = (error: unknown): boolean =>
  error instanceof ApiError &&
  ["TRANSPORT", "MALFORMED_ANSWER", "CANCELLED_BY_USER", "DEADLINE", "UNAVAILABLE"].includes(
    error.code,
  );

const regionWarning = (region: string) => ({
  summary: "Location Is Not A Zone",
  detail:
    `The endpoint's location is ${region}, from the provider's settings. Endpoints are zonal: set zone on the ` +
    `provider, or location on the endpoint, to a zone, such as us-central1-a.`,
  path: ["location"],
});

const ignoredRequest = (name: string, requestId: string): ProviderError =>
  new ProviderError({
    summary: "Request Ignored By The Service",
    detail:
      `The service accepted the creation of ${name}, but the endpoint does not exist. It ignores a ` +
      `repeated request_id for 60 minutes, and has received ${requestId} before. Change or remove request_id.`,
    path: ["requestId"],
  });
