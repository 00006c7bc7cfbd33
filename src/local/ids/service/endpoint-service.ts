import type { Properties } from "../../../core/json/plain-json";
import { type Call, errorInfo, invalidFields, rpcError } from "../rpc/call";
import { page } from "../rpc/page";
import {
  checkFields,
  emptyFields,
  endpointFields,
  parseEndpoint,
  parseObject,
  applyMask,
} from "./endpoint-fields";
import { type Operations, operationToJson } from "./operations";
import { type Endpoint, endpointToJson, type LocalOperation, type World } from "./world";

interface EndpointServiceSettings {
  readonly now: () => number;
  /** The maximum number of endpoints per zone and project. */
  readonly quota: number;
  readonly log: (line: string) => void;
}

/** The fields that a filter and an order can name. */
const listedFields = [
  ...endpointFields,
  ...(["name", "state", "endpointIp", "endpointForwardingRule"] as const),
  ...(["createTime", "updateTime"] as const),
];

const endpointIdPattern = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The methods of endpoints. They are synchronous, so none sees an intermediate state of another. */
export class EndpointService {
  readonly #world: World;
  readonly #operations: Operations;
  readonly #settings: EndpointServiceSettings;

  constructor(world: World, operations: Operations, settings: EndpointServiceSettings) {
    this.#world = world;
    this.#operations = operations;
    this.#settings = settings;
  }

  create(call: Call): Properties {
    return this.#once(call, () => {
      const endpointId = call.query("endpointId") ?? "";
      if (!endpointIdPattern.test(endpointId)) {
        const description = `must match ${endpointIdPattern.source}, got ${JSON.stringify(endpointId)}`;
        throw invalidFields([{ field: "endpoint_id", description }]);
      }
      const fields = checkFields({ ...emptyFields, ...parseEndpoint(call.request.body) });
      const name = `${call.parent}/endpoints/${endpointId}`;
      if (this.#world.endpoints.has(name)) {
        throw rpcError("ALREADY_EXISTS", `Resource '${name}' already exists`);
      }
      this.#checkQuota(call.parent);
      const now = new Date(this.#settings.now()).toISOString();
      this.#world.endpoints.set(name, {
        name,
        ...fields,
        state: "CREATING",
        endpointIp: "",
        endpointForwardingRule: "",
        createTime: now,
        updateTime: now,
      });
      this.#settings.log(`creating ${name}`);
      return this.#operations.begin("create", name, undefined);
    });
  }

  get(call: Call): Properties {
    const name = endpointName(call);
    const running = this.#operations.runningOn(name);
    if (running !== undefined) this.#operations.poll(running);
    return endpointToJson(this.#find(name));
  }

  /** Grants every permission to everybody. As in the API, an endpoint that does not exist has none. */
  testIamPermissions(call: Call): Properties {
    const permissions = parsePermissions(call.request.body);
    return this.#world.endpoints.has(endpointName(call)) && permissions.length > 0
      ? { permissions }
      : {};
  }

  list(call: Call): Properties {
    const { items, nextPageToken } = page(call, this.#below(call.parent), listedFields);
    const endpoints = items.length === 0 ? undefined : items.map(endpointToJson);
    return { endpoints, nextPageToken };
  }

  patch(call: Call): Properties {
    return this.#once(call, () => {
      const name = endpointName(call);
      const sent = parseEndpoint(call.request.body);
      const endpoint = this.#find(name);
      const change = checkFields(applyMask(endpoint, sent, call.query("updateMask")));
      this.#refuseBusy(name);
      this.#world.endpoints.set(name, { ...endpoint, state: "UPDATING" });
      this.#settings.log(`updating ${name}`);
      return this.#operations.begin("update", name, change);
    });
  }

  delete(call: Call): Properties {
    return this.#once(call, () => {
      const name = endpointName(call);
      const endpoint = this.#find(name);
      this.#refuseBusy(name);
      this.#world.endpoints.set(name, { ...endpoint, state: "DELETING" });
      this.#settings.log(`deleting ${name}`);
      return this.#operations.begin("delete", name, undefined);
    });
  }

  /** Runs a mutation, unless a request with the same request ID has already been accepted. */
  #once(call: Call, begin: () => LocalOperation): Properties {
    const requestId = checkRequestId(call.query("requestId"));
    const now = this.#settings.now();
    const known = requestId === undefined ? undefined : recall(this.#world, requestId, now);
    if (known !== undefined) {
      this.#settings.log(`repeated request to ${known.verb} ${known.target}: nothing to do`);
      return operationToJson(known);
    }
    const operation = begin();
    if (requestId !== undefined) {
      this.#world.requests.set(requestId, { operation: operation.name, at: now });
    }
    return operationToJson(operation);
  }

  #find(name: string): Endpoint {
    const endpoint = this.#world.endpoints.get(name);
    if (endpoint !== undefined) return endpoint;
    throw rpcError("NOT_FOUND", `Resource '${name}' was not found`);
  }

  #below(parent: string): Endpoint[] {
    const [project = "", location = ""] = parent.split("/locations/");
    const prefix = location === "-" ? `${project}/locations/` : `${parent}/endpoints/`;
    return [...this.#world.endpoints.values()].filter(({ name }) => name.startsWith(prefix));
  }

  #checkQuota(parent: string): void {
    const { quota } = this.#settings;
    if (this.#below(parent).length < quota) return;
    const message = `Quota exceeded: ${parent} already has ${quota} endpoints`;
    const limit = { quota_limit: "EndpointsPerZonePerProject", quota_limit_value: String(quota) };
    throw rpcError("RESOURCE_EXHAUSTED", message, [errorInfo("QUOTA_EXCEEDED", limit)]);
  }

  #refuseBusy(name: string): void {
    const running = this.#operations.runningOn(name);
    if (running === undefined) return;
    const message = `Resource '${name}' is busy: ${running.name} (${running.verb}) is still running`;
    throw rpcError("FAILED_PRECONDITION", message);
  }
}

function parsePermissions(body: string): readonly string[] {
  const { permissions } = parseObject(body);
  const isName = (each: unknown): each is string =>
    typeof each === "string" && /^[a-z]+(?:\.[a-zA-Z]+)+$/.test(each);
  if (Array.isArray(permissions) && permissions.every(isName)) return permissions;
  const description = "must be a list of permissions without wildcards, such as ids.endpoints.get";
  throw invalidFields([{ field: "permissions", description }]);
}

function endpointName(call: Call): string {
  return `${call.parent}/endpoints/${call.variable("endpoint")}`;
}

/** The minimum that the service guarantees. */
const rememberedMs = 60 * 60_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const zeros = /^[0-]+$/;

/** @throws HttpFailure if the request ID is set, but not a valid UUID */
function checkRequestId(requestId: string | undefined): string | undefined {
  if (requestId === undefined || requestId === "") return undefined;
  if (uuid.test(requestId) && !zeros.test(requestId)) return requestId.toLowerCase();
  const description = "must be a valid UUID other than the all-zero one";
  throw invalidFields([{ field: "request_id", description }]);
}

/**
 * Returns the operation that a request with this ID started within the last 60 minutes.
 *
 * Request IDs are remembered across methods, names and bodies: any request with the same ID is
 * ignored, and returns the operation of the first one. Only accepted requests are remembered.
 */
function recall(world: World, requestId: string, now: number): LocalOperation | undefined {
  for (const [id, { at }] of world.requests) {
    if (now - at <= rememberedMs) break;
    world.requests.delete(id);
  }
  const remembered = world.requests.get(requestId);
  return remembered && world.operations.get(remembered.operation);
}
