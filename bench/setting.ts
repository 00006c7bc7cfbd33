import type { Subject } from "./subject/subject";

/** What the cases are given. */
export interface Setting {
  /** How many measurements make a figure. */
  readonly runs: number;
  /** The package's folder. */
  readonly root: string;
  readonly providers: readonly MeasuredProvider[];
}

/** A provider that is measured. */
export interface MeasuredProvider {
  readonly subject: Subject;
  readonly executable: string;
  readonly version: string;
}
