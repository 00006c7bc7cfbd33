/** The status codes of gRPC, by name. */
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

/** The name of a gRPC status. */
export type GrpcStatusName = keyof typeof GrpcStatus;

const names = new Map(
  Object.entries(GrpcStatus).map(([name, code]) => [code as number, name as GrpcStatusName]),
);

/** The name of a status code as it stands in `grpc-status`; UNKNOWN for anything else. */
export function statusName(code: unknown): GrpcStatusName {
  return names.get(Number(code)) ?? "UNKNOWN";
}

const maxLength = 4096;

/** Writes a text as the `grpc-message` trailer: UTF-8, all but printable ASCII percent-encoded. */
export function encodeStatusMessage(text: string): string {
  // Through Buffer, because encodeURIComponent throws on a lone surrogate.
  return text
    .slice(0, maxLength)
    .replace(/[^ -$&-~]/gu, (character) =>
      Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&"),
    );
}

/** Reads a `grpc-message` trailer; what is not valid percent-encoding stays as it stands. */
export function decodeStatusMessage(encoded: string): string {
  return encoded.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
