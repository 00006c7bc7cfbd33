import type { Subject } from "./subject/subject";

/** The setting of every case. */
export interface Setting {
  /** The number of measurements per figure. */
  readonly runs: number;
  /** The package's folder. */
  readonly root: string;
  readonly providers: readonly MeasuredProvider[];
}

/** A provider to measure. */
export interface MeasuredProvider {
  readonly subject: Subject;
  readonly executable: string;
  readonly version: string;
}
