import type { CallContext, ClientLog, Clock } from "../../http/call-context";
import { type Backoff, backoffMs } from "../../http/retry";
import { serverMessage } from "../../http/server-message";
import { isObject, type Properties } from "../../json/plain-json";
import { ApiError, malformedAnswer, statusToError } from "./api-error";
import { type RestCall, segment } from "./rest-call";
import { maxPollAttempts } from "./retry";

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

/** The server's description of a running operation. Show its strings only through `serverMessage`. */
interface OperationProgress {
  /** The time of its start (RFC 3339); empty if unknown. */
  readonly createTime: string;
  /** Human-readable status, if any. */
  readonly statusMessage: string;
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

/** Creates an operation from its name, such as one that an earlier process has started. */
export const runningOperation = (name: string): Operation => ({
  name,
  done: false,
  hasResponse: false,
  progress: progressOf({}),
});

const operationPattern = new RegExp(
  `^projects/${segment}/locations/${segment}/operations/[A-Za-z0-9][A-Za-z0-9._:~-]*$`,
);

/** Validates an operation name from the server before it becomes part of a URL. */
function isOperationName(name: string): boolean {
  return name.length <= 1024 && operationPattern.test(name);
}

interface WaitSettings {
  readonly call: RestCall;
  readonly clock: Clock;
  readonly log: ClientLog | undefined;
  /** Undefined for 5 seconds at first, then doubled each time, up to 45 seconds. */
  readonly pollIntervalMs: number | undefined;
}

const pollBackoff: Backoff = { firstMs: 5_000, factor: 2, maxMs: 45_000, jitter: 0 };
/** The last poll takes place this long before the deadline, so that its response can still arrive. */
const lastPollMarginMs = 2_000;
/** For this long after its start, the responding server may not know an operation yet. */
const replicationMs = 60_000;

/**
 * Polls an operation until it is done.
 *
 * @throws ApiError with the name of the operation, when it fails or cannot be polled
 */
export async function waitForOperation(
  operation: Operation,
  options: CallContext,
  settings: WaitSettings,
): Promise<void> {
  const { call, clock, log } = settings;
  const { name } = operation;
  const startedAt = clock.now();
  let latest = operation;
  let wasSeen = false;
  for (let number = 1; !latest.done; number++) {
    if (!isOperationName(name)) throw unusableName(name);
    const delayMs = settings.pollIntervalMs ?? backoffMs(pollBackoff, { number, random: () => 0 });
    await pause(latest, delayMs, options, clock);
    try {
      const path = name.split("/").map(encodeURIComponent).join("/");
      latest = parseOperation(
        await call({ method: "GET", path, attempts: maxPollAttempts }, options),
      );
      wasSeen = true;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      const mayAppear = !wasSeen && clock.now() - startedAt <= replicationMs;
      if (failure.code !== "NOT_FOUND" || !mayAppear) throw explain(failure, latest);
    }
    log?.debug("polled an operation", { operation: name, done: latest.done });
  }
  settle(latest, name, log);
}

async function pause(
  operation: Operation,
  delayMs: number,
  { signal, deadline }: CallContext,
  clock: Clock,
): Promise<void> {
  const remainingMs = deadline - clock.now();
  if (remainingMs <= Math.min(delayMs, lastPollMarginMs)) throw tooLate(operation);
  const fits = delayMs < remainingMs;
  try {
    await clock.sleep(fits ? delayMs : remainingMs - lastPollMarginMs, signal);
  } catch (cause) {
    if (!signal.aborted) throw cause;
  }
  if (signal.aborted) throw interrupted(operation.name);
}

function settle({ error, hasResponse }: Operation, name: string, log: ClientLog | undefined): void {
  const failure = statusToError(error, { httpStatus: 200 });
  if (failure !== undefined) throw name === "" ? failure : failure.ofOperation(name);
  // Some servers omit the empty response of a deletion. The following read shows the result.
  if (name !== "" && !hasResponse) {
    log?.warn("an operation ended with neither a response nor an error", { operation: name });
  }
}

function explain(failure: ApiError, latest: Operation): ApiError {
  const { name } = latest;
  if (failure.code === "CANCELLED_BY_USER") return interrupted(name);
  if (failure.code === "DEADLINE") return tooLate(latest);
  if (failure.code !== "NOT_FOUND") return failure.ofOperation(name);
  // Not NOT_FOUND, which would mean that the endpoint no longer exists.
  return new ApiError({
    code: "UNKNOWN",
    message: `the service no longer knows the operation ${name}`,
    httpStatus: failure.httpStatus,
    operation: name,
  });
}

function interrupted(operation: string): ApiError {
  return new ApiError({
    code: "CANCELLED_BY_USER",
    message: `interrupted while waiting for the operation ${operation}, which continues on the service`,
    operation,
  });
}

function tooLate({ name, progress }: Operation): ApiError {
  const { createTime, statusMessage, isCancelling } = progress;
  const started = /^[\d:.TZ-]{1,40}$/.test(createTime) ? ` since ${createTime}` : "";
  const said = statusMessage === "" ? "" : `, and last said "${serverMessage(statusMessage)}"`;
  const cancelling = isCancelling ? ", and is being cancelled" : "";
  return new ApiError({
    code: "DEADLINE",
    message: `the operation ${name} was still running at the deadline${started}${said}${cancelling}; it continues on the service`,
    operation: name,
  });
}

function unusableName(name: string): ApiError {
  return malformedAnswer(
    `the service returned the operation name "${serverMessage(name)}", which does not have the form projects/…/locations/…/operations/…; the operation was not polled`,
  );
}
