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
