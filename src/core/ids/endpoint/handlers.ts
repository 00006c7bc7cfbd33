import { randomUUID } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import { isObject } from "../../json/plain-json";
import { implement, type OperationContext, ProviderError, UNKNOWN } from "../../provider-kit";
import { importForms } from "../../schema";
import { ApiError, isApiError } from "../client/api-error";
import type { IdsClient } from "../client/client";
import type { Ids } from "../provider/configure";
import { type EndpointClient, endpointClient } from "./client";
import { chooseRequestId, createOnce, intentKey, patch } from "./changes";
import { endpoint, isZone, notZonal } from "./declare";
import { formatEndpointName, formatParent, knownPlace, planPlace } from "./name";
import { type Attempt, isAboutLocation, serviceError } from "./service-error";
import {
  changedFields,
  type Computed,
  computedState,
  endpointBody,
  type EndpointPlan,
  type EndpointState,
  foundState,
  keptValues,
} from "./state";

export const endpointHandlers = implement(endpoint)<Ids>({
  async plan({ config, prior, drafted }, context) {
    const place = await planPlace(config, drafted, context);
    // The declaration warns about a location in the configuration.
    if (typeof place.decided.location === "string" && !isZone(place.decided.location)) {
      context.warn(regionWarning(place.decided.location));
    }
    if (prior === undefined) chooseRequestId(context);
    const { endpointId } = config;
    const { project, location } = place;
    const isKnown = endpointId !== UNKNOWN && project !== UNKNOWN && location !== UNKNOWN;
    const name = isKnown ? formatEndpointName({ project, location, endpointId }) : UNKNOWN;
    return { ...place.decided, ...keptValues(drafted, prior), id: name, name };
  },

  async create(plan, context) {
    const place = knownPlace(plan);
    const name = formatEndpointName(place);
    try {
      const found = await createOnce(
        endpointsOf(context),
        name,
        formatParent(place),
        plan,
        context,
      );
      return stateOf(plan, name, found);
    } catch (error) {
      const isLocated = error instanceof ApiError && isAboutLocation(error);
      const zones = isLocated ? await zonesNear(context.client.api, place, context) : undefined;
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
      patch(endpointsOf(context), { name, plan, changed, state }, context),
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

const endpointsOf = ({ client }: OperationContext<Ids>): EndpointClient =>
  endpointClient(client.api);

/** Returns the state after a plan was applied: the planned values, and computed values from `found`. */
const stateOf = (plan: EndpointPlan, name: string, found: Computed): EndpointState => ({
  ...plan,
  ...knownPlace(plan),
  ...computedState(name, found),
  // What the plan has promised. A difference appears with the next refresh.
  ...(typeof plan.endpointIp === "string" ? { endpointIp: plan.endpointIp } : {}),
  ...(typeof plan.endpointForwardingRule === "string"
    ? { endpointForwardingRule: plan.endpointForwardingRule }
    : {}),
  ...(typeof plan.state === "string" ? { state: plan.state } : {}),
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
    if (isApiError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

const regionWarning = (region: string) => ({
  summary: "Location Is Not A Zone",
  detail:
    `The endpoint's location is ${region}, from the provider's settings. Endpoints are zonal: set zone on the ` +
    `provider, or location on the endpoint, to a zone, such as us-central1-a.`,
  path: ["location"],
  code: notZonal,
});

/** Short, because this only improves an error message. */
const maxMs = 10_000;

/**
 * Returns the service's zones in the region of a location; undefined if they cannot be listed. Even a wrong
 * location may contain the name of a region: `us-central1`, `us-central1-z`.
 */
async function zonesNear(
  { call }: IdsClient,
  { project, location }: { readonly project: string; readonly location: string },
  context: CallContext,
): Promise<readonly string[] | undefined> {
  const region = location.replace(/-[a-z]$/, "");
  const path = `projects/${encodeURIComponent(project)}/locations`;
  const deadline = Math.min(context.deadline, Date.now() + maxMs);
  try {
    const query = { pageSize: "1000" };
    const answer = await call(
      { method: "GET", path, query, attempts: 1 },
      { signal: context.signal, deadline },
    );
    const { locations = [] } = answer;
    if (!Array.isArray(locations)) return undefined;
    return locations
      .filter(isObject)
      .map(({ locationId }) => locationId)
      .filter((id): id is string => typeof id === "string" && /^[a-z\d-]{1,63}$/.test(id))
      .filter((id) => id.startsWith(`${region}-`))
      .slice(0, 10);
  } catch {
    return undefined;
  }
}
