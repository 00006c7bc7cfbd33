import type { IResolvable } from "cdktf";

/** Monitoring of a machine's memory. */
export interface AgentMemoryMonitoring {
  /** Whether memory is monitored. */
  readonly enabled: boolean | IResolvable;
  /** Percentage of use, from 0 to 100, at which users are notified. */
  readonly threshold: number;
}

/** Monitoring of a volume. */
export interface AgentVolumeMonitoring {
  /** Absolute path of the volume, by the rules of the agent's system; no two monitor the same. */
  readonly path: string;
  /** Whether the volume is monitored. */
  readonly enabled: boolean | IResolvable;
  /** Percentage of use, from 0 to 100, at which users are notified. */
  readonly threshold: number;
}

/** Monitoring of a machine's resources; at least one of them is given. */
export interface AgentResourcesMonitoring {
  /**
   * Monitoring of the memory.
   *
   * @default memory is not monitored
   */
  readonly memory?: AgentMemoryMonitoring | undefined;
  /**
   * Monitoring of volumes.
   *
   * @default no volume is monitored
   */
  readonly volumes?: readonly AgentVolumeMonitoring[] | IResolvable | undefined;
}
