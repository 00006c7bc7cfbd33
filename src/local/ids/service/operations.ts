import { createHash, randomUUID } from "node:crypto";
import type { Properties } from "../../../core/json/plain-json";
import { type Call, rpcError, type RpcStatus } from "../rpc/call";
import { page } from "../rpc/page";
import type { EndpointFields } from "./endpoint-fields";
import { type Endpoint, endpointToJson, type LocalOperation, type World } from "./world";

interface OperationSettings {
  readonly now: () => number;
  /**
   * The number of polls after which an operation is done; 0 means that it is done in the first
   * response.
   */
  readonly pollsUntilDone: number;
  /** The duration of an operation in milliseconds. Replaces `pollsUntilDone`. */
  readonly operationDurationMs: number | undefined;
  /** Returns an error with which an operation fails. */
  readonly failure: (operation: LocalOperation) => RpcStatus | undefined;
  readonly log: (line: string) => void;
}

/** Much longer than request IDs are remembered, because those refer to operations. */
const keptMs = 24 * 3_600_000;

const metadataType = "type.googleapis.com/google.cloud.ids.v1.OperationMetadata";
const endpointType = "type.googleapis.com/google.cloud.ids.v1.Endpoint";
const emptyType = "type.googleapis.com/google.protobuf.Empty";

/** The long-running operations: starts, polls and finishes them. */
export class Operations {
  readonly #world: World;
  readonly #settings: OperationSettings;

  constructor(world: World, settings: OperationSettings) {
    this.#world = world;
    this.#settings = settings;
  }

  begin(
    verb: LocalOperation["verb"],
    target: string,
    change: EndpointFields | undefined,
  ): LocalOperation {
    const now = this.#settings.now();
    this.#forgetOld(now);
    const parent = target.replace(/\/endpoints\/.*$/, "");
    const operation: LocalOperation = {
      name: `${parent}/operations/operation-${now}-${randomUUID()}`,
      verb,
      target,
      startedAt: now,
      endedAt: undefined,
      polls: 0,
      change,
      error: undefined,
      response: undefined,
    };
    this.#world.operations.set(operation.name, operation);
    this.#finishWhenDue(operation);
    return operation;
  }

  /** Records a read of the operation or its endpoint, which advances the operation. */
  poll(operation: LocalOperation): void {
    if (operation.endedAt !== undefined) return;
    operation.polls++;
    this.#finishWhenDue(operation);
  }

  /** Finishes the operations whose duration has passed since the last request. */
  settle(): void {
    if (this.#settings.operationDurationMs === undefined) return;
    for (const operation of this.#world.operations.values()) this.#finishWhenDue(operation);
  }

  runningOn(target: string): LocalOperation | undefined {
    for (const operation of this.#world.operations.values()) {
      if (operation.target === target && operation.endedAt === undefined) return operation;
    }
    return undefined;
  }

  #finishWhenDue(operation: LocalOperation): void {
    const { now, pollsUntilDone, operationDurationMs } = this.#settings;
    const isDue =
      operationDurationMs === undefined
        ? operation.polls >= pollsUntilDone
        : now() - operation.startedAt >= operationDurationMs;
    if (isDue && operation.endedAt === undefined) this.#finish(operation);
  }

  #finish(operation: LocalOperation): void {
    const { endpoints } = this.#world;
    const { verb, target } = operation;
    operation.endedAt = this.#settings.now();
    const endpoint = endpoints.get(target);
    if (endpoint === undefined) return;
    operation.error = this.#settings.failure(operation);
    if (operation.error !== undefined) {
      if (verb === "create") endpoints.delete(target);
      else endpoints.set(target, { ...endpoint, state: "READY" });
      this.#settings.log(`failed to ${verb} ${target}: ${operation.error.message}`);
      return;
    }
    if (verb === "delete") {
      endpoints.delete(target);
      operation.response = { "@type": emptyType };
    } else {
      const ready = makeReady({ ...endpoint, ...operation.change }, operation.endedAt);
      endpoints.set(target, ready);
      operation.response = { "@type": endpointType, ...endpointToJson(ready) };
    }
    this.#settings.log(`${verb}d ${target}`);
  }

  #forgetOld(now: number): void {
    for (const [name, { endedAt, startedAt }] of this.#world.operations) {
      if (now - startedAt <= keptMs) return;
      if (endedAt !== undefined) this.#world.operations.delete(name);
    }
  }
}

const progress = { create: "creating", update: "updating", delete: "deleting" } as const;

export function operationToJson(operation: LocalOperation): Readonly<Record<string, unknown>> {
  const { name, verb, target, startedAt, endedAt, error, response } = operation;
  const isDone = endedAt !== undefined;
  return {
    name,
    metadata: {
      "@type": metadataType,
      createTime: new Date(startedAt).toISOString(),
      endTime: isDone ? new Date(endedAt).toISOString() : undefined,
      target,
      verb,
      statusMessage: isDone ? undefined : progress[verb],
      apiVersion: "v1",
    },
    done: isDone || undefined,
    error,
    response,
  };
}

// The IP address and the forwarding rule depend only on the name, so that all runs of a demo are the same.
function makeReady(endpoint: Endpoint, now: number): Endpoint {
  const [, project = "", , location = "", , id = ""] = endpoint.name.split("/");
  const region = location.replace(/-[a-z]$/, "");
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(endpoint.name).digest();
  return {
    ...endpoint,
    state: "READY",
    endpointIp: `10.${a}.${b}.${1 + (c % 254)}`,
    endpointForwardingRule: `https://www.googleapis.com/compute/v1/projects/${project}/regions/${region}/forwardingRules/ids-${id}`,
    updateTime: new Date(now).toISOString(),
  };
}

export class OperationService {
  readonly #world: World;
  readonly #operations: Operations;

  constructor(world: World, operations: Operations) {
    this.#world = world;
    this.#operations = operations;
  }

  get(call: Call): Properties {
    const name = `${call.parent}/operations/${call.variable("operation")}`;
    const operation = this.#world.operations.get(name);
    if (operation === undefined) {
      throw rpcError("NOT_FOUND", `Resource '${name}' was not found`);
    }
    this.#operations.poll(operation);
    return operationToJson(operation);
  }

  list(call: Call): Properties {
    const prefix = `${call.parent}/operations/`;
    const all = [...this.#world.operations.values()];
    const own = all.filter(({ name }) => name.startsWith(prefix));
    const { items, nextPageToken } = page(call, own, ["name", "verb", "target"]);
    const operations = items.length === 0 ? undefined : items.map(operationToJson);
    return { operations, nextPageToken };
  }
}

/** The zones that are listed. Endpoints can be created in any zone with a valid name. */
const zones = ["europe-west1-b", "us-central1-a", "us-central1-f", "us-east1-b"];

/** Returns a zone, which the API calls a location. */
export function getLocation(call: Call): Properties {
  const locationId = call.variable("location");
  if (locationId === "-") throw rpcError("NOT_FOUND", `Location '-' was not found`);
  return locationToJson(call.variable("project"), locationId);
}

export function listLocations(call: Call): Properties {
  const project = call.variable("project");
  const all = zones.map((zone) => locationToJson(project, zone));
  const { items, nextPageToken } = page(call, all, ["name", "locationId"]);
  return { locations: items, nextPageToken };
}

function locationToJson(project: string, locationId: string) {
  return { name: `projects/${project}/locations/${locationId}`, locationId };
}
