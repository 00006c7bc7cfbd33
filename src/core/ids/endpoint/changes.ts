import { randomUUID } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import {
  type ChangeContext,
  type Intent,
  type PlanContext,
  ProviderError,
} from "../../provider-kit";
import { type ApiErrorCode, isApiError } from "../client/api-error";
import { type Operation, runningOperation } from "../client/operation";
import type { Ids } from "../provider/configure";
import type { EndpointClient, EndpointResource } from "./client";
import { serviceError } from "./service-error";
import {
  type ChangeableField,
  changedFields,
  endpointBody,
  type EndpointPlan,
  type EndpointState,
  mergedLabels,
} from "./state";

type Change = ChangeContext<EndpointState, Ids>;

/** After these errors, the request may have succeeded although no response arrived. */
const openOutcomes: readonly ApiErrorCode[] = [
  "TRANSPORT",
  "MALFORMED_ANSWER",
  "CANCELLED_BY_USER",
  "DEADLINE",
  "UNAVAILABLE",
];

/** Where the plan of a creation keeps its request ID, so that the plan can be applied again on another machine. */
const plannedRequestId = "requestId";

/** Chooses the request ID of a creation. The final plan keeps that of the first one, if Terraform passes it on. */
export function chooseRequestId({ firstPlan, privateState }: PlanContext<Ids>): void {
  privateState.set(plannedRequestId, firstPlan.get(plannedRequestId) ?? randomUUID());
}

/** Returns the key of an endpoint's creation in the journal. */
export const intentKey = ({ baseUrl }: Ids, name: string): string => `${baseUrl}${name}`;

/**
 * Creates an endpoint. A repeated request, even by a later process after a crash, does not create a
 * second one. A creation that ran out of time is continued.
 */
export async function createOnce(
  api: EndpointClient,
  name: string,
  parent: string,
  plan: EndpointPlan,
  context: Change,
): Promise<EndpointResource> {
  const { client, privateState } = context;
  const planned = privateState.get(plannedRequestId);
  // It belongs to the creation, and must not get into the state.
  privateState.delete(plannedRequestId);
  const given = plan.requestId ?? undefined;
  const intent = await client.journal.begin(intentKey(client, name), given, planned);
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
    const created = await asPlanned(api, name, plan, found, intent, context);
    intent.complete();
    return created;
  } catch (error) {
    if (
      isApiError(error, "DEADLINE") &&
      operation !== undefined &&
      (await intent.leave(operation.name))
    ) {
      throw serviceError(error, { verb: "create", name, isResumable: true });
    }
    if (operation !== undefined) context.save({ id: name, name });
    // Not if the outcome is open: Terraform may have been killed and never store the tainted
    // endpoint.
    if (isApiError(error, ...openOutcomes)) intent.abandon();
    else await intent.settle();
    const isGone =
      isApiError(error, "NOT_FOUND") && (operation !== undefined || intent.operation !== undefined);
    if (operation !== undefined && isApiError(error, "CANCELLED_BY_USER")) {
      throw serviceError(error, { verb: "create", name, isTainted: true });
    }
    if (!isGone) throw error;
    if (!intent.isRepeat) throw ignoredRequest(name, requestId);
    // The endpoint that the earlier process created has been deleted since, or was never created.
    return createOnce(api, name, parent, plan, context);
  }
}

/** Updates the endpoint that a repeated request returned if its values differ from the plan. */
async function asPlanned(
  api: EndpointClient,
  name: string,
  plan: EndpointPlan,
  found: EndpointResource,
  intent: Intent,
  context: Change,
): Promise<EndpointResource> {
  if (!intent.isRepeat) return found;
  const changed = changedFields(endpointBody(plan), found);
  return changed.length === 0 ? found : patch(api, { name, plan, changed }, context);
}

const ignoredRequest = (name: string, requestId: string): ProviderError =>
  new ProviderError({
    summary: "Request Ignored By The Service",
    detail:
      `The service accepted the creation of ${name}, but the endpoint does not exist. It ignores a ` +
      `repeated request_id for 60 minutes, and has received ${requestId} before. Change or remove request_id.`,
    path: ["requestId"],
  });

interface EndpointChange {
  readonly name: string;
  readonly plan: EndpointPlan;
  readonly changed: readonly ChangeableField[];
  /** The state before. Labels that it does not have belong to others, and are kept. @default none are kept */
  readonly state?: EndpointState | undefined;
}

/** Writes exactly the changed fields of an endpoint, and returns the updated endpoint. */
export async function patch(
  api: EndpointClient,
  { name, plan, changed, state }: EndpointChange,
  context: CallContext,
): Promise<EndpointResource> {
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
