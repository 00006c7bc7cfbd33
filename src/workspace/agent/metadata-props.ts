/** Something that an agent reports about itself, at intervals. */
export interface AgentMetadata {
  /** Name of the entry, one of its own in the agent. */
  readonly key: string;
  /** Script whose output is shown. */
  readonly script: string;
  /** Seconds between two runs of the script. */
  readonly interval: number;
  /**
   * Name that users see.
   *
   * @default the key
   */
  readonly displayName?: string | undefined;
  /**
   * Seconds that one run may take.
   *
   * @default the platform's
   */
  readonly timeout?: number | undefined;
  /**
   * Position of the entry: lowest first, equal ones by key.
   *
   * @default none
   */
  readonly order?: number | undefined;
}
