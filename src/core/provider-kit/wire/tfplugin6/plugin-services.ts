import { field, message } from "../grpc/protobuf";
import type { Method } from "./resource-methods";

const Empty = message(() => ({}));

/** A piece of the plugin's standard output or standard error. */
const StdioData = message(() => ({
  channel: field.enum(1, { INVALID: 0, STDOUT: 1, STDERR: 2 }),
  data: field.bytes(2),
}));

/** Asks for a connection before it is used, or acknowledges that. */
const ConnInfoKnock = message(() => ({
  knock: field.bool(1),
  ack: field.bool(2),
  error: field.string(3),
}));

/** The address of another connection between the plugin and its host. */
const ConnInfo = message(() => ({
  serviceId: field.int64(1),
  network: field.string(2),
  address: field.string(3),
  knock: field.message(4, () => ConnInfoKnock),
}));

/**
 * The procedures that Terraform calls in every plugin: go-plugin's, and gRPC's health check.
 *
 * @see {@link https://github.com/hashicorp/go-plugin/tree/main/internal/plugin}
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/health-checking.md}
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
    request: message(() => ({ service: field.string(1) })),
    response: message(() => ({
      status: field.enum(1, { UNKNOWN: 0, SERVING: 1, NOT_SERVING: 2, SERVICE_UNKNOWN: 3 }),
    })),
  },
} as const satisfies Readonly<Record<string, Method>>;
