import type { GrpcStatusName } from "./grpc-status";

/**
 * A call that failed with a gRPC status.
 *
 * Thrown by a handler, its code and text reach the caller as they are; every other error becomes
 * INTERNAL with a fixed text, because messages of arbitrary errors may hold secrets.
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
