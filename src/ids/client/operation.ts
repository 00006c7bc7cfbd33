import { isObject } from "../../json/is-object";
import type { Properties } from "../../json/is-object";

/**
 * The parts of a long-running operation that the client needs.
 *
 * @see {@link https://google.aip.dev/151}
 */
export interface Operation {
  /** `projects/P/locations/L/operations/O`; empty when the server responded synchronously. */
  readonly name: string;
  readonly done: boolean;
  /** The google.rpc.Status of a failed operation, not yet parsed. */
  readonly error?: unknown;
  readonly hasResponse: boolean;
  /** The progress in the server's last response. */
  readonly progress: OperationProgress;
}

/** The server's description of a running operation. Its texts are not yet safe to show. */
export interface OperationProgress {
  /** When it started (RFC 3339); empty if unknown. */
  readonly createTime: string;
  /** Human-readable status, if any. */
  readonly statusMessage: string;
  /** True if cancellation was requested. */
  readonly isCancelling: boolean;
}

/**
 * Reads an operation. A response without a name is the result itself, which some servers return
 * immediately.
 */
export function parseOperation(json: Properties): Operation {
  const { name, done, error, response } = json;
  const isNamed = typeof name === "string" && name !== "";
  return {
    name: isNamed ? name : "",
    done: done === true || !isNamed,
    ...(isObject(error) ? { error } : {}),
    hasResponse: isObject(response),
    progress: progressOf(isObject(json["metadata"]) ? json["metadata"] : {}),
  };
}

function progressOf({
  createTime,
  statusMessage,
  requestedCancellation,
}: Properties): OperationProgress {
  return {
    createTime: typeof createTime === "string" ? createTime : "",
    statusMessage: typeof statusMessage === "string" ? statusMessage : "",
    isCancelling: requestedCancellation === true,
  };
}

/** Creates an operation of which only the name is known, such as one that an earlier process has started. */
export const runningOperation = (name: string): Operation => ({
  name,
  done: false,
  hasResponse: false,
  progress: progressOf({}),
});
