import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { IConstruct } from "constructs";
import type { ConstructObserver } from "../../core/construct/check/user-stack";
import type { SourcePosition } from "../../planner/changes/construct-place";
import { LoopGuard } from "../user-code/loop-guard";
import { firstUserPosition, isUsersFile, SourcePositions } from "../user-code/source-position";
import {
  type AppError,
  type AppFailure,
  type AppFinding,
  type AppReport,
  timeoutVariable,
} from "./app-report";

const advice = `If it needs more time, set ${timeoutVariable} to a number of seconds.`;

/** Records the constructs and the failure of an app in this process, and writes a report when it has ended. */
export class AppRecorder {
  readonly sources = new SourcePositions();
  readonly #places = new ConstructPositions(this.sources);
  readonly #file: string;
  readonly #guard: LoopGuard;
  #failure: AppFailure | undefined;

  /** @param file receives the report */
  constructor(file: string) {
    this.#file = file;
    this.#guard = new LoopGuard({ app: { reportFile: file, advice } });
  }

  /** True if this is the process of the app: only the app creates constructs. */
  get isApp(): boolean {
    return this.#places.size > 0;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Observes this process from now on, and writes the report when it exits.
   *
   * @param limitMs how long the app can block the process before it is ended
   */
  start(limitMs: number): void {
    const observe: ConstructObserver = (construct, place) => {
      if (!this.#guard.isStarted) this.watch(limitMs);
      this.#places.observe(construct, place);
    };
    Object.defineProperty(globalThis, Symbol.for("@trivet/constructs:observer"), {
      value: observe,
    });
    process.on("uncaughtExceptionMonitor", (error) => {
      this.fail(error);
    });
    process.on("exit", () => {
      if (!this.isApp && !this.hasFailed) return;
      try {
        this.write();
      } catch {
        // The command that reads it has ended.
      }
    });
  }

  /** Ends this process if it is blocked for this time in milliseconds before {@link write} is called. */
  watch(limitMs: number): void {
    this.#guard.watch(limitMs);
  }

  /** Notes the error that ended the app. */
  fail(error: unknown): void {
    this.#failure = failureOf(error, this.sources);
  }

  /** Forgets everything, before the app runs again. */
  reset(): void {
    this.#places.clear();
    this.sources.clear();
    this.#failure = undefined;
  }

  write(): void {
    this.#guard.rest();
    const failure = this.#failure;
    const report: AppReport = {
      positions: this.#places.read(),
      ...(failure !== undefined && { failure }),
    };
    writeFileSync(this.#file, JSON.stringify(report), { mode: 0o600 });
  }
}

/** An object with a stack trace, which V8 formats when it is first read. */
interface Place {
  readonly stack?: unknown;
}

/** Records where constructs are created. Finding the lines in the sources takes longer, so that happens when they are read. */
class ConstructPositions {
  readonly #places = new Map<IConstruct, Place>();
  readonly #sources: SourcePositions;

  constructor(sources: SourcePositions) {
    this.#sources = sources;
  }

  get size(): number {
    return this.#places.size;
  }

  clear(): void {
    this.#places.clear();
  }

  readonly observe: ConstructObserver = (construct, place) => {
    this.#places.set(construct, place);
  };

  /** Returns the place of each construct by its path in the app. Leaves out constructs without a place in the user's code. */
  read(): Readonly<Record<string, SourcePosition>> {
    const known = new Map<string, SourcePosition>();
    const positions = [...this.#places].flatMap(([construct, place]) => {
      const position = this.#positionOf(place, known);
      return position === undefined ? [] : [[construct.node.path, position] as const];
    });
    return Object.fromEntries(positions);
  }

  #positionOf(place: Place, known: Map<string, SourcePosition>): SourcePosition | undefined {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- restored unchanged
    const original = Error.prepareStackTrace;
    Error.prepareStackTrace = (_error, sites) => sites;
    // A string if it was formatted before, otherwise the frames.
    const { stack } = place;
    Error.prepareStackTrace = original;
    if (typeof stack === "string") return firstUserPosition(stack, this.#sources);
    const site = (Array.isArray(stack) ? (stack as NodeJS.CallSite[]) : []).find(isUsers);
    if (site === undefined) return undefined;
    const compiled = compiledPosition(site);
    const key = `${compiled.file}:${compiled.line}:${compiled.column}`;
    const position = known.get(key) ?? this.#sourceOf(site, compiled);
    known.set(key, position);
    return position;
  }

  /** Formats the place like the app, because only ts-node, for example, knows its source maps. */
  #sourceOf(site: NodeJS.CallSite, compiled: SourcePosition): SourcePosition {
    const format: unknown = Reflect.get(Error, "prepareStackTrace");
    const formatted: unknown =
      typeof format === "function" && Reflect.apply(format, Error, [new Error("place"), [site]]);
    const found =
      typeof formatted === "string" ? firstUserPosition(formatted, this.#sources) : undefined;
    return found ?? this.#sources.sourceOf(compiled);
  }
}

const fileOf = (site: NodeJS.CallSite): string =>
  (site.getFileName() ?? "").replace(/^file:\/\//, "");

const isUsers = (site: NodeJS.CallSite): boolean => isUsersFile(fileOf(site));

const compiledPosition = (site: NodeJS.CallSite): SourcePosition => ({
  file: fileOf(site),
  line: site.getLineNumber() ?? 1,
  column: site.getColumnNumber() ?? 1,
});

/** The property of an error that contains the library's findings. */
const remarksKey: unique symbol = Symbol.for("@trivet/constructs:remarks");

const maxMessageLength = 8000;
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
  if (!(error instanceof Error)) return { message: String(error).slice(0, maxMessageLength) };
  const message = stripVTControlCharacters(error.message).slice(0, maxMessageLength);
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

/** The first place in a message of TypeScript, as in `main.ts(3,5): error` or `main.ts:3:5 - error`. */
function compilerPosition(message: string): SourcePosition | undefined {
  const [, file = "", line, column] =
    /^(\S+\.[cm]?tsx?)[(:](\d+)[,:](\d+)\)?(?::| -) error TS\d+/m.exec(message) ?? [];
  if (line === undefined) return undefined;
  return { file: resolve(file), line: Number(line), column: Number(column) };
}

/** The place of a syntax error. Node.js writes it above the message. */
function syntaxPosition(stack: string, sources: SourcePositions): SourcePosition | undefined {
  const [, file = "", line, marker = ""] =
    /^((?:[/\\]|[a-zA-Z]:)[^\n]*):(\d+)\n[^\n]*\n( *)\^/.exec(stack) ?? [];
  if (line === undefined) return undefined;
  return sources.sourceOf({ file, line: Number(line), column: marker.length + 1 });
}
