import { readFile } from "node:fs/promises";
import { isObject, parseTrustedJson, propertiesOf } from "../../core/json/plain-json";
import type { ConstructRemark } from "../../core/schema";
import {
  type Place,
  placeIn,
  type SourcePosition,
  withPlace,
} from "../../planner/changes/construct-place";

/** An error that ended the app, or one of its causes. */
export interface AppError {
  readonly message: string;
  /** The line in the user's code, if it is known. */
  readonly position?: SourcePosition;
  /** The library's findings, if the error consists of them. */
  readonly findings?: readonly AppFinding[];
}

/** A finding of the library about a construct, with its place if that is known. */
export interface AppFinding extends ConstructRemark, Place {}

/** The error that ended the app. */
export interface AppFailure extends AppError {
  /** Its cause, the cause of that, and so on. */
  readonly causes: readonly AppError[];
}

/** The report that the process of an app writes when it ends. */
export interface AppReport {
  /** The place of each construct by its path in the app. */
  readonly positions: Readonly<Record<string, SourcePosition>>;
  /** The error that ended it. */
  readonly failure?: AppFailure;
}

/** The environment variable with the path of the file for the report. */
export const reportVariable = "TRIVET_APP_REPORT";

/**
 * The environment variable with the path of a socket. With it, the process of an app connects to the socket when the app has
 * ended, and runs the app again for each request.
 */
export const socketVariable = "TRIVET_APP_SOCKET";

/** A line of JSON that requests another run of the app. */
export interface RunRequest {
  /** Contents of files that differ from those on disk, by their paths: what an editor has not saved. */
  readonly unsaved: Readonly<Record<string, string>>;
  /** The time in milliseconds for which a run can block the process before it is ended. */
  readonly limitMs: number;
}

/**
 * The environment variable with the time in seconds for which an app can block its process, as in an endless loop, before
 * it is ended.
 */
export const timeoutVariable = "TRIVET_APP_TIMEOUT";

/** Enough for an app with about a hundred thousand constructs. */
const defaultTimeout = 120;

const maxTimeout = 24 * 60 * 60;

/** Returns the time-out in milliseconds; undefined if the variable is not a number of seconds, at most a day. */
export function timeoutMs(env: NodeJS.ProcessEnv): number | undefined {
  const text = env[timeoutVariable] ?? String(defaultTimeout);
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  return seconds > 0 && seconds <= maxTimeout ? Math.ceil(seconds * 1000) : undefined;
}

/** A line of JSON that is sent when the app has run and its report is written. */
export interface RunAnswer {
  readonly hasFailed: boolean;
  /** True if sources were compiled in the process, without the checks of the app's own compiler. */
  readonly isUnchecked: boolean;
  /** The memory that the process uses, in bytes. */
  readonly heapBytes: number;
}

/** Returns the report of an app; an empty one if there is none, as for an app that Node.js does not run. */
export async function readReport(file: string): Promise<AppReport> {
  const text = await readFile(file, "utf8").catch(() => "{}");
  const json = parseTrustedJson(text);
  const { positions, failure } = isObject(json) ? json : {};
  const places = Object.fromEntries(
    Object.entries(propertiesOf(positions)).filter((entry): entry is [string, SourcePosition] =>
      isPosition(entry[1]),
    ),
  );
  if (!isFailure(failure)) return { positions: places };
  const { findings = [], ...error } = failure;
  const placed = findings.map((each) =>
    each.constructPath === undefined ? each : withPlace(each, placeIn(places, each.constructPath)),
  );
  return { positions: places, failure: { ...error, findings: placed } };
}

const isPosition = (value: unknown): value is SourcePosition =>
  isObject(value) &&
  typeof value["file"] === "string" &&
  typeof value["line"] === "number" &&
  typeof value["column"] === "number";

const isError = (value: unknown): value is AppError =>
  isObject(value) &&
  typeof value["message"] === "string" &&
  (value["position"] === undefined || isPosition(value["position"])) &&
  (value["findings"] === undefined ||
    (Array.isArray(value["findings"]) && value["findings"].every(isFinding)));

const isFinding = (value: unknown): value is AppFinding =>
  isObject(value) && typeof value["message"] === "string" && typeof value["code"] === "string";

const isFailure = (value: unknown): value is AppFailure =>
  isError(value) && "causes" in value && Array.isArray(value.causes) && value.causes.every(isError);
