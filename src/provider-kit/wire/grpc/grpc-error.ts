import type { GrpcStatusName } from "./grpc-status";

/**
 * The error of a call that failed with a gRPC status.
 *
 * If a handler throws it, the caller receives its code and message unchanged. Any other error becomes
 * INTERNAL with a fixed message, because the messages of arbitrary errors may contain secrets.
 */
export class GrpcError extends Error {
  override readonly name = "GrpcError";

  constructor(
    readonly code: GrpcStatusName,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
