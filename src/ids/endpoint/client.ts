import { randomUUID } from "node:crypto";
import type { CallContext } from "../../http/call-context";
import type { IdsClient } from "../client/client";
import { type Operation, parseOperation } from "../client/operation";
import { encodeName, isParent } from "../client/resource-name";
import { isEndpointName } from "./name";
import {
  type EndpointBody,
  type EndpointResource,
  readEndpoint,
  writeBody,
  writeMasked,
} from "./resource";
import {
  type ChangeableField,
  endpointBody,
  type EndpointPlan,
  type EndpointState,
  mergedLabels,
} from "./state";

/** The parameters of a create request. */
interface CreateEndpointRequest {
  /** `projects/P/locations/L` */
  readonly parent: string;
  /** The last part of the new endpoint's name. */
  readonly endpointId: string;
  readonly endpoint: EndpointBody;
  /** The idempotency key, a UUID. */
  readonly requestId: string;
}

/** The parameters of an update request. */
interface PatchEndpointRequest {
  /** `projects/P/locations/L/endpoints/E` */
  readonly name: string;
  /** The names of the fields to write. Fields that are absent in `endpoint` are cleared. */
  readonly updateMask: readonly string[];
  readonly endpoint: EndpointBody;
  readonly requestId: string;
}

/** The parameters of a delete request. */
interface DeleteEndpointRequest {
  readonly name: string;
  readonly requestId: string;
}

/**
 * The service's methods for endpoints.
 *
 * Every method throws only `ApiError`, except `TypeError` for a caller's bug (an empty update
 * mask). Mutations can be retried after a lost response, because all attempts have the same
 * `requestId`, which the service recognises for at least 60 minutes.
 *
 * @see {@link https://cloud.google.com/intrusion-detection-system/docs/reference/rest}
 */
export interface EndpointClient extends IdsClient {
  createEndpoint(request: CreateEndpointRequest, options: CallContext): Promise<Operation>;
  getEndpoint(name: string, options: CallContext): Promise<EndpointResource>;
  patchEndpoint(request: PatchEndpointRequest, options: CallContext): Promise<Operation>;
  deleteEndpoint(request: DeleteEndpointRequest, options: CallContext): Promise<Operation>;
}

/** Adds the methods for endpoints to a client. */
export function endpointClient(client: IdsClient): EndpointClient {
  const { call } = client;
  return {
    ...client,
    async createEndpoint({ parent, endpointId, endpoint, requestId }, options) {
      const path = `${encodeName(parent, isParent)}/endpoints`;
      const query = { endpointId, requestId };
      return parseOperation(
        await call({ method: "POST", path, query, body: writeBody(endpoint) }, options),
      );
    },
    async getEndpoint(name, options) {
      return readEndpoint(
        await call({ method: "GET", path: encodeName(name, isEndpointName) }, options),
      );
    },
    async patchEndpoint({ name, updateMask, endpoint, requestId }, options) {
      const body = writeMasked(endpoint, updateMask);
      const path = encodeName(name, isEndpointName);
      const query = { updateMask: updateMask.join(","), requestId };
      return parseOperation(await call({ method: "PATCH", path, query, body }, options));
    },
    async deleteEndpoint({ name, requestId }, options) {
      const path = encodeName(name, isEndpointName);
      return parseOperation(await call({ method: "DELETE", path, query: { requestId } }, options));
    },
  };
}

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
