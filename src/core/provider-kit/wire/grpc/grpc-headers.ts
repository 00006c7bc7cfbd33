import { type Failure, failures } from "../../../failure/failure";

/**
 * The gRPC status codes by name.
 *
 * @see {@link https://github.com/grpc/grpc/blob/master/doc/statuscodes.md}
 */
const GrpcStatus = {
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

export type GrpcStatusName = keyof typeof GrpcStatus;

const names = new Map(
  Object.entries(GrpcStatus).map(([name, code]) => [code as number, name as GrpcStatusName]),
);

/** Returns the name of a code in a `grpc-status` header; UNKNOWN for an invalid code. */
export function statusName(code: unknown): GrpcStatusName {
  return names.get(Number(code)) ?? "UNKNOWN";
}

const maxLength = 4096;

/** Returns the trailers of a call: in the message, all but printable ASCII is percent-encoded. */
export const statusTrailers = (code: GrpcStatusName, message: string) => ({
  "grpc-status": String(GrpcStatus[code]),
  // Through Buffer, because encodeURIComponent throws on a lone surrogate.
  "grpc-message": message
    .slice(0, maxLength)
    .replace(/[^ -$&-~]/gu, (character) =>
      Buffer.from(character).toString("hex").toUpperCase().replace(/../g, "%$&"),
    ),
});

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

/**
 * The error of a call that failed with a gRPC status.
 *
 * If a handler throws it, the caller receives its code and message unchanged. Any other error becomes
 * INTERNAL with a fixed message, because the messages of arbitrary errors may contain secrets.
 */
export type GrpcError = Failure<GrpcStatusName>;
export const [grpcError, isGrpcError] = failures<GrpcStatusName>("GrpcError");

const unitMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** The longest delay that a timer of Node.js supports. */
const longestMs = 2 ** 31 - 1;

/**
 * Parses a `grpc-timeout` header: at most eight digits and a unit.
 *
 * @returns milliseconds, rounded up; undefined if it is malformed
 */
export function parseTimeout(header: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const ms = unitMs[unit];
  return ms === undefined ? undefined : Math.min(longestMs, Math.ceil(Number(digits) * ms));
}
