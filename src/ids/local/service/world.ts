import type { Endpoint } from "./endpoint";
import type { EndpointFields } from "./endpoint-fields";
import type { RpcStatus } from "../rpc/rpc-error";

export interface LocalOperation {
  /** `projects/P/locations/L/operations/O` */
  readonly name: string;
  readonly verb: "create" | "update" | "delete";
  /** The endpoint's name. */
  readonly target: string;
  /** Milliseconds since the epoch, like every time in here. */
  readonly startedAt: number;
  endedAt: number | undefined;
  /** How often somebody looked while it ran. */
  polls: number;
  /** What an update will have written when it is done. */
  readonly change: EndpointFields | undefined;
  /** Once it is done, exactly one of `error` and `response`. */
  error: RpcStatus | undefined;
  response: Readonly<Record<string, unknown>> | undefined;
}

export interface RememberedRequest {
  readonly operation: string;
  readonly at: number;
}

/** Everything the back end knows; plain values, so that it can be written to a file. */
export interface World {
  readonly endpoints: Map<string, Endpoint>;
  readonly operations: Map<string, LocalOperation>;
  /** By request id, in the order of their arrival. */
  readonly requests: Map<string, RememberedRequest>;
}

export function emptyWorld(): World {
  return { endpoints: new Map(), operations: new Map(), requests: new Map() };
}
