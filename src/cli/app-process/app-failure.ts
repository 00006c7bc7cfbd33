import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Place, SourcePosition } from "../../planner/changes/construct-place";
import type { ConstructRemark } from "../../core/schema";
import { firstUserPosition, type SourcePositions } from "../user-code/source-position";

/** An error that ended the app, or one that caused it. */
export interface AppError {
  readonly message: string;
  /** The line in the user's code, if one is known. */
  readonly position?: SourcePosition;
  /** What the library found, if that is all. */
  readonly findings?: readonly AppFinding[];
}

/** What the library says about a construct, with the place if that is known. */
export interface AppFinding extends ConstructRemark, Place {}

/** An error that ended the app. */
export interface AppFailure extends AppError {
  /** What caused it, and what caused that, and so on. */
  readonly causes: readonly AppError[];
}

/** The property of an error in which the library says what it is about. */
const remarksKey: unique symbol = Symbol.for("@trivet/constructs:remarks");

/** A longer message is cut. */
const maxLength = 8000;

/** A longer chain of causes is cut. */
const maxCauses = 10;

/** Describes an error that ended the app. */
export function failureOf(error: unknown, sources: SourcePositions): AppFailure {
  const causes: AppError[] = [];
  let cause = causeOf(error);
  while (cause !== undefined && causes.length < maxCauses) {
    causes.push(described(cause, sources));
    cause = causeOf(cause);
  }
  return { ...described(error, sources), causes };
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

function described(error: unknown, sources: SourcePositions): AppError {
  if (!(error instanceof Error)) return { message: String(error).slice(0, maxLength) };
  const message = stripVTControlCharacters(error.message).slice(0, maxLength);
  const stack = error.stack ?? "";
  const position =
    compilerPosition(message) ??
    syntaxPosition(stack, sources) ??
    firstUserPosition(stack, sources);
  const { [remarksKey]: findings }: Error & { readonly [remarksKey]?: readonly AppFinding[] } =
    error;
  return {
    message,
    ...(position !== undefined && { position }),
    ...(findings !== undefined && { findings }),
  };
}

/** The place that TypeScript names first, as in `main.ts(3,5): error` or `main.ts:3:5 - error`. */
function compilerPosition(message: string): SourcePosition | undefined {
  const [, file = "", line, column] =
    /^(\S+\.[cm]?tsx?)[(:](\d+)[,:](\d+)\)?(?::| -) error TS\d+/m.exec(message) ?? [];
  if (line === undefined) return undefined;
  return { file: resolve(file), line: Number(line), column: Number(column) };
}

/** The place of a syntax error, which Node.js writes above the message. */
function syntaxPosition(stack: string, sources: SourcePositions): SourcePosition | undefined {
  const [, file = "", line, marker = ""] =
    /^((?:[/\\]|[a-zA-Z]:)[^\n]*):(\d+)\n[^\n]*\n( *)\^/.exec(stack) ?? [];
  if (line === undefined) return undefined;
  return sources.sourceOf({ file, line: Number(line), column: marker.length + 1 });
}
