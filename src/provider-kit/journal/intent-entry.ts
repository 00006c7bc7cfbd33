import { isRecord } from "../../json/is-object";
import type { ProcessMark } from "../../process/process-facts";
import { parsedJson } from "../../json/plain-json";

/** What the file of an intent contains. */
export interface IntentEntry extends ProcessMark {
  readonly workingFolder: string;
  readonly key: string;
  readonly requestId: string;
  readonly startedAt: number;
  /** Identifies the intent within its process, and distinguishes that from a later one with its PID. */
  readonly run: string;
  /** The operation that the service started, if its run or an earlier one has left it. */
  readonly operation?: string | undefined;
  /** Whether the operation waits for a later run, although the process may be alive. */
  readonly isLeft?: boolean | undefined;
}

/** Returns undefined if the text is not an entry. */
export function parseIntentEntry(text: string): IntentEntry | undefined {
  const value = parsedJson(text);
  if (!isRecord(value)) return undefined;
  const fields: Partial<Record<keyof IntentEntry, unknown>> = value;
  const { workingFolder, key, requestId, startedAt, pid, start, run, operation, isLeft } = fields;
  return typeof workingFolder === "string" &&
    typeof key === "string" &&
    typeof requestId === "string" &&
    typeof startedAt === "number" &&
    typeof pid === "number" &&
    typeof run === "string"
    ? {
        workingFolder,
        key,
        requestId,
        startedAt,
        pid,
        run,
        start: typeof start === "string" ? start : undefined,
        operation: typeof operation === "string" ? operation : undefined,
        isLeft: isLeft === true,
      }
    : undefined;
}

/** How long services are guaranteed to recognise a repeated request. */
const validMs = 60 * 60 * 1000;

/** How long an operation that was left is looked for. It needs no idempotency key. */
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

/** Whether an entry is needed no more, once a new run has its own, which continues the earlier one. */
export function isReplaced(
  entry: IntentEntry | undefined,
  earlier: IntentEntry | undefined,
  now: number,
): boolean {
  return entry === undefined || entry.requestId === earlier?.requestId || !isValid(entry, now);
}
