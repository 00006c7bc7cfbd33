import type { RpcStatus } from "../rpc/call";
import type { EndpointFields } from "./endpoint-fields";

/** The lifecycle state of an endpoint. */
export type EndpointState = "CREATING" | "READY" | "UPDATING" | "DELETING";

/** A stored endpoint, with every field. */
export interface Endpoint extends EndpointFields {
  readonly name: string;
  readonly state: EndpointState;
  /** The IP address. Empty until the endpoint is READY, like the forwarding rule. */
  readonly endpointIp: string;
  readonly endpointForwardingRule: string;
  readonly createTime: string;
  readonly updateTime: string;
}

/** Converts an endpoint to proto3 JSON, which omits default values. */
export function endpointToJson(endpoint: Endpoint): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(endpoint).filter(([, value]) => !isDefault(value)));
}

function isDefault(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === false;
}

/** A stored long-running operation. */
export interface LocalOperation {
  /** `projects/P/locations/L/operations/O` */
  readonly name: string;
  readonly verb: "create" | "update" | "delete";
  /** The name of the endpoint. */
  readonly target: string;
  /** Milliseconds since the epoch, like all times in this file. */
  readonly startedAt: number;
  endedAt: number | undefined;
  /** The number of polls while it was running. */
  polls: number;
  /** The fields that an update writes when it is done. */
  readonly change: EndpointFields | undefined;
  /** Exactly one of `error` and `response` is set when the operation is done. */
  error: RpcStatus | undefined;
  response: Readonly<Record<string, unknown>> | undefined;
}

/** The operation that a request ID refers to, and when the request arrived. */
export interface RememberedRequest {
  readonly operation: string;
  readonly at: number;
}

/** All data of the local back end. Plain values, so that it can be stored in a file. */
export interface World {
  readonly endpoints: Map<string, Endpoint>;
  readonly operations: Map<string, LocalOperation>;
  /** Requests by request ID, in the order of their arrival. */
  readonly requests: Map<string, RememberedRequest>;
}

/** Creates the data of an empty back end. */
export function emptyWorld(): World {
  return { endpoints: new Map(), operations: new Map(), requests: new Map() };
}
