import type { Method } from "./method";
import { type Decoded, field, message } from "../protobuf/protobuf";

export const Empty = message(() => ({}));
export type Empty = Decoded<typeof Empty>;

/** A piece of the plugin's output. */
export const StdioData = message(() => ({
  channel: field.enum(1, { INVALID: 0, STDOUT: 1, STDERR: 2 }),
  data: field.bytes(2),
}));
export type StdioData = Decoded<typeof StdioData>;

export const ConnInfoKnock = message(() => ({
  knock: field.bool(1),
  ack: field.bool(2),
  error: field.string(3),
}));

/** Where a further connection between the plugin and its host is found. */
export const ConnInfo = message(() => ({
  serviceId: field.int64(1),
  network: field.string(2),
  address: field.string(3),
  knock: field.message(4, () => ConnInfoKnock),
}));
export type ConnInfo = Decoded<typeof ConnInfo>;

export const HealthCheckRequest = message(() => ({ service: field.string(1) }));
export type HealthCheckRequest = Decoded<typeof HealthCheckRequest>;

export const HealthCheckResponse = message(() => ({
  status: field.enum(1, { UNKNOWN: 0, SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 }),
}));
export type HealthCheckResponse = Decoded<typeof HealthCheckResponse>;

/** The procedures that the host of any plugin expects, as far as Terraform calls them. */
export const pluginMethods = {
  shutdown: {
    path: "/plugin.GRPCController/Shutdown",
    kind: "unary",
    request: Empty,
    response: Empty,
  },
  streamStdio: {
    path: "/plugin.GRPCStdio/StreamStdio",
    kind: "serverStream",
    request: Empty,
    response: StdioData,
  },
  startBrokerStream: {
    path: "/plugin.GRPCBroker/StartStream",
    kind: "bidirectionalStream",
    request: ConnInfo,
    response: ConnInfo,
  },
  checkHealth: {
    path: "/grpc.health.v1.Health/Check",
    kind: "unary",
    request: HealthCheckRequest,
    response: HealthCheckResponse,
  },
} as const satisfies Readonly<Record<string, Method>>;
