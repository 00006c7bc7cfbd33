import { writeFileSync } from "node:fs";
import type { ConstructObserver } from "../../core/construct/check/construct-places";
import { type AppFailure, failureOf } from "./app-failure";
import { type AppReport, timeoutVariable } from "./app-report";
import { ConstructPositions } from "./construct-positions";
import { LoopGuard } from "../user-code/loop-guard";
import { SourcePositions } from "../user-code/source-position";

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
