import type { EndpointFields } from "./endpoint-fields";

export type EndpointState = "CREATING" | "READY" | "UPDATING" | "DELETING";

/** An endpoint as it is kept, with every field. */
export interface Endpoint extends EndpointFields {
  readonly name: string;
  readonly state: EndpointState;
  /** Empty until READY, like the forwarding rule. */
  readonly endpointIp: string;
  readonly endpointForwardingRule: string;
  readonly createTime: string;
  readonly updateTime: string;
}

/** proto3 JSON: what holds its type's default is left out. */
export function endpointToJson(endpoint: Endpoint): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(endpoint).filter(([, value]) => !isDefault(value)));
}

function isDefault(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === false;
}
