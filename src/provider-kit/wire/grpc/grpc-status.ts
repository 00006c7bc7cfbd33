/**
 * The gRPC status codes by name.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/statuscodes.md}
 */
export const GrpcStatus = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

/** The name of a gRPC status code. */
export type GrpcStatusName = keyof typeof GrpcStatus;

const names = new Map(
  Object.entries(GrpcStatus).map(([name, code]) => [code as number, name as GrpcStatusName]),
);

/** Returns the name of a code in a `grpc-status` header; UNKNOWN for an invalid code. */
export function statusName(code: unknown): GrpcStatusName {
  return names.get(Number(code)) ?? "UNKNOWN";
}

const maxLength = 4096;

/**
 * Encodes a message for the `grpc-message` trailer: UTF-8, with all but printable ASCII
 * percent-encoded. Cuts it after 4096 characters.
 */
export function encodeStatusMessage(message: string): string {
  // Through Buffer, because encodeURIComponent throws on a lone surrogate.
  return message
    .slice(0, maxLength)
    .replace(/[^ -$&-~]/gu, (character) =>
      Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&"),
    );
}

/** Decodes a `grpc-message` trailer. Invalid percent-encoding is kept unchanged. */
export function decodeStatusMessage(encoded: string): string {
  return encoded.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
