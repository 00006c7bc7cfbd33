import { writeFileSync } from "node:fs";
import type { IConstruct } from "constructs";
import type { ConstructObserver } from "../../core/construct/check/construct-places";
import type { SourcePosition } from "../../planner/changes/construct-place";
import { LoopGuard } from "../user-code/loop-guard";
import { firstUserPosition, isUsersFile, SourcePositions } from "../user-code/source-position";
import { type AppFailure, failureOf } from "./app-failure";
import { type AppReport, timeoutVariable } from "./app-report";

const advice = `If it needs more time, set ${timeoutVariable} to a number of seconds.`;

/** Records what an app does in this process, and writes a report when it has ended. */
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

  /** Checks whether this is the process of the app: nobody else creates constructs. */
  get isApp(): boolean {
    return this.#places.size > 0;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Observes this process from now on. Writes the report when it exits.
   *
   * @param limitMs the time in milliseconds after which an app that never gives way is ended
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

  /** Ends this process if it does not give way for the time in milliseconds, before {@link write} is called. */
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

/** An object with a stack trace. V8 formats it when it is read first. */
interface Place {
  readonly stack?: unknown;
}

/** Records where constructs are created. The places are evaluated when they are read, because that takes longer. */
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

  /** Returns the place of each construct by its path in the app. Constructs without one in the user's code are left out. */
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
    // A string if it was formatted before, else the frames.
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

  /** Formats the place as the app does, because ts-node, for one, knows its source maps alone. */
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
