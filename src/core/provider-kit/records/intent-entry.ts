import { isRecord, parsedJson } from "../../json/plain-json";
import type { ProcessMark } from "../../process/process-facts";

/** The content of an intent's file. */
export interface IntentEntry extends ProcessMark {
  readonly workingFolder: string;
  readonly key: string;
  readonly requestId: string;
  readonly startedAt: number;
  readonly host?: string | undefined;
  /**
   * Identifies the intent within its process, and distinguishes the process from a later one with the same
   * PID.
   */
  readonly run: string;
  /** The operation that the service started, if this run or an earlier one has left it to a later run. */
  readonly operation?: string | undefined;
  /** True if the operation waits for a later run, even though the process may still be running. */
  readonly isResumable?: boolean | undefined;
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Parses an entry; returns undefined if the text is not one. Others can write to a shared journal. */
export function parseIntentEntry(text: string): IntentEntry | undefined {
  const value = parsedJson(text);
  if (!isRecord(value)) return undefined;
  const fields: Partial<Record<keyof IntentEntry, unknown>> = value;
  const { workingFolder, key, requestId, startedAt, run, operation, isResumable } = fields;
  const { host, pid, start } = fields;
  return typeof workingFolder === "string" &&
    typeof key === "string" &&
    typeof requestId === "string" &&
    uuid.test(requestId) &&
    typeof startedAt === "number" &&
    typeof pid === "number" &&
    typeof run === "string"
    ? {
        workingFolder,
        key,
        requestId,
        startedAt,
        host: typeof host === "string" ? host : undefined,
        pid,
        run,
        start: typeof start === "string" ? start : undefined,
        operation: typeof operation === "string" ? operation : undefined,
        isResumable: isResumable === true,
      }
    : undefined;
}

/** The time for which services are guaranteed to recognise a repeated request. */
const validMs = 60 * 60 * 1000;

/** The time for which an operation that was left is resumed. It needs no idempotency key. */
const leftMs = 7 * 24 * validMs;

function isValid({ operation, startedAt }: IntentEntry, now: number): boolean {
  const age = now - startedAt;
  return age >= 0 && age < (operation === undefined ? validMs : leftMs);
}

/**
 * Chooses the entry that a new run continues: an operation that was left, else the first request. If
 * several were sent, the service has refused the others.
 */
export function entryToContinue(
  entries: readonly IntentEntry[],
  now: number,
): IntentEntry | undefined {
  const hasOperation = ({ operation }: IntentEntry) => Number(operation !== undefined);
  const [first] = entries
    .filter((entry) => isValid(entry, now))
    .sort((a, b) => hasOperation(b) - hasOperation(a) || a.startedAt - b.startedAt);
  return first;
}

/** Checks whether an entry is obsolete once a new run, which continues an earlier entry, has its own. */
export function isReplaced(
  entry: IntentEntry | undefined,
  earlier: IntentEntry | undefined,
  now: number,
): boolean {
  return entry === undefined || entry.requestId === earlier?.requestId || !isValid(entry, now);
}
