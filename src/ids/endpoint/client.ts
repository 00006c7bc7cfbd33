import type { CallContext } from "../../http/call-context";
import type { IdsClient } from "../client/client";
import { parseOperation, type Operation } from "../client/operation";
import { encodeName, isParent } from "../client/resource-name";
import { isEndpointName } from "./name";
import {
  readEndpoint,
  writeBody,
  writeMasked,
  type EndpointBody,
  type EndpointResource,
} from "./resource";

export interface CreateEndpointRequest {
  /** `projects/P/locations/L` */
  readonly parent: string;
  readonly endpointId: string;
  readonly endpoint: EndpointBody;
  readonly requestId: string;
}

export interface PatchEndpointRequest {
  /** `projects/P/locations/L/endpoints/E` */
  readonly name: string;
  /** Names of fields of `EndpointBody`; exactly these are written, absent ones are emptied. */
  readonly updateMask: readonly string[];
  readonly endpoint: EndpointBody;
  readonly requestId: string;
}

export interface DeleteEndpointRequest {
  readonly name: string;
  readonly requestId: string;
}

/**
 * The service's methods for endpoints.
 *
 * Every method throws only `ApiError`, except for a caller's bug (an empty update mask), which is a
 * `TypeError`. A mutation is repeated after a lost answer because all its attempts carry one
 * `requestId`, which the service recognises for at least 60 minutes.
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
