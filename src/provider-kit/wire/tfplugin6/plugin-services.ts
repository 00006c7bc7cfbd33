import type { Method } from "./method";
import { type Decoded, field, message } from "../protobuf/protobuf";

/**
 * An empty message.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
export const Empty = message(() => ({}));
/**
 * A decoded {@link Empty} message.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
export type Empty = Decoded<typeof Empty>;

/**
 * A piece of the plugin's standard output or standard error.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
export const StdioData = message(() => ({
  channel: field.enum(1, { INVALID: 0, STDOUT: 1, STDERR: 2 }),
  data: field.bytes(2),
}));
/**
 * A decoded {@link StdioData} message.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
export type StdioData = Decoded<typeof StdioData>;

/**
 * Asks for a connection before it is used, or acknowledges that.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
export const ConnInfoKnock = message(() => ({
  knock: field.bool(1),
  ack: field.bool(2),
  error: field.string(3),
}));

/**
 * The address of another connection between the plugin and its host.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
export const ConnInfo = message(() => ({
  serviceId: field.int64(1),
  network: field.string(2),
  address: field.string(3),
  knock: field.message(4, () => ConnInfoKnock),
}));
/**
 * A decoded {@link ConnInfo} message.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
export type ConnInfo = Decoded<typeof ConnInfo>;

/**
 * Requests the health of a service.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/health-checking.md}
 */
export const HealthCheckRequest = message(() => ({ service: field.string(1) }));
/**
 * A decoded {@link HealthCheckRequest} message.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/health-checking.md}
 */
export type HealthCheckRequest = Decoded<typeof HealthCheckRequest>;

/**
 * The health of a service.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/health-checking.md}
 */
export const HealthCheckResponse = message(() => ({
  status: field.enum(1, { UNKNOWN: 0, SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 }),
}));
/**
 * A decoded {@link HealthCheckResponse} message.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/health-checking.md}
 */
export type HealthCheckResponse = Decoded<typeof HealthCheckResponse>;

/**
 * The procedures of go-plugin that Terraform calls in every plugin.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 */
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
