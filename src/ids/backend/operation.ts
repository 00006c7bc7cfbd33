/** A long-running operation as far as the client needs it. */
export interface Operation {
  /** `projects/P/locations/L/operations/O`; empty when the server worked synchronously. */
  readonly name: string;
  readonly done: boolean;
  /** The bare google.rpc.Status of a finished operation that failed, not yet interpreted. */
  readonly error?: unknown;
  readonly hasResponse: boolean;
}
