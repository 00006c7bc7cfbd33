import { writeFileSync } from "node:fs";
import { type AppFailure, failureOf } from "./app-failure";
import type { AppReport } from "./app-report";
import { ConstructPositions } from "./construct-positions";
import { SourcePositions } from "./source-position";

/** Records what an app does in this process, and writes a report when it has ended. */
export class AppRecorder {
  readonly sources = new SourcePositions();
  readonly #places = new ConstructPositions(this.sources);
  readonly #file: string;
  #failure: AppFailure | undefined;

  /** @param file receives the report */
  constructor(file: string) {
    this.#file = file;
  }

  /** Checks whether this is the process of the app: nobody else creates constructs. */
  get isApp(): boolean {
    return this.#places.size > 0;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Observes this process from now on. Writes the report when it exits. */
  start(): void {
    Object.defineProperty(globalThis, Symbol.for("@trivet/constructs:observer"), {
      value: this.#places.observe,
    });
    process.on("uncaughtExceptionMonitor", (error) => {
      this.fail(error);
    });
    process.on("exit", () => {
      if (this.isApp || this.hasFailed) this.write();
    });
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
    const failure = this.#failure;
    const report: AppReport = {
      positions: this.#places.read(),
      ...(failure !== undefined && { failure }),
    };
    writeFileSync(this.#file, JSON.stringify(report), { mode: 0o600 });
  }
}
