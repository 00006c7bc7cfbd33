import { randomUUID } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import type { EndpointClient } from "./client";
import type { EndpointResource } from "./resource";
import {
  type ChangeableField,
  endpointBody,
  type EndpointPlan,
  type EndpointState,
  mergedLabels,
} from "./state";

/** The change that an update makes. */
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
