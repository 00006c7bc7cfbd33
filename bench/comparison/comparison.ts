import type { Subject } from "../subject/subject";

/** One small configuration, written for our provider and for another one that does the same. */
export interface Comparison {
  readonly provider: Subject["name"];
  /** What the configuration creates, such as `one image to sign`. */
  readonly piece: string;
  readonly peer: Peer;
  /** The ratio of our provider's apply to the peer's, for CPU and for wall time. */
  readonly target: number;
  /**
   * Starts the services that both providers use.
   *
   * @param folder an empty folder for the services
   */
  readonly open: (folder: string) => Promise<OpenComparison>;
}

/** Another provider, which is measured if its executable is named. */
export interface Peer {
  /** Its name in `--peer NAME=PATH`. */
  readonly name: string;
  /** Its name in a configuration, with which its resources start. */
  readonly localName: string;
}

/** The configurations of a {@link Comparison}, while its services run. */
export interface OpenComparison {
  /** Without `required_providers`. */
  readonly ours: object;
  /** The same for the peer. */
  readonly theirs: object;
  /** Environment variables of both providers. */
  readonly environment: Readonly<Record<string, string>>;
  /** Prepares one run, such as by pushing a new image, and returns its input variables. */
  readonly prepare: () => Promise<Readonly<Record<string, string>>>;
  /**
   * Checks after an apply that the run did what it was measured for.
   *
   * @throws Error if it did not
   */
  readonly confirm: () => Promise<void>;
  readonly close: () => Promise<void>;
}
