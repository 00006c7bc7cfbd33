/** What the cases are given. */
export interface Setting {
  /** How many measurements make a figure. */
  readonly runs: number;
  /** The package's folder. */
  readonly root: string;
  /** The ids provider's executable and version. */
  readonly executable: string;
  readonly version: string;
}
