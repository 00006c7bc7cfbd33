import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";

/** The properties of a {@link Script}; at least one of `runOnStart`, `runOnStop` and `cron` is given. */
export interface ScriptProps extends MetaArguments {
  /**
   * ID of the agent: its `agentId` alone, since the platform follows this reference.
   *
   * A change replaces the script.
   */
  readonly agentId: string;
  /** Name that users see. */
  readonly displayName: string;
  /** Text of the script. */
  readonly script: string;
  /**
   * URL of an icon; built-in ones stand under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Path of the log in the workspace; a relative one is taken below the temporary folder.
   *
   * @default the platform's
   */
  readonly logPath?: string | undefined;
  /**
   * Whether the script runs when the workspace starts.
   *
   * @default false
   */
  readonly runOnStart?: boolean | IResolvable | undefined;
  /**
   * Whether the script runs before the workspace stops.
   *
   * @default false
   */
  readonly runOnStop?: boolean | IResolvable | undefined;
  /**
   * Whether users can log in only when the script has ended. Needs `runOnStart`.
   *
   * @default false
   */
  readonly startBlocksLogin?: boolean | IResolvable | undefined;
  /**
   * When the script runs: second, minute, hour, day of the month, month and, if given, day of the week;
   * or a descriptor such as `@hourly` or `@every 5m`. A line of a crontab gets a warning: its first
   * field would be the second.
   *
   * @default the script does not run at intervals
   */
  readonly cron?: string | undefined;
  /**
   * Seconds that one run may take; 0 is no limit.
   *
   * @default 0
   */
  readonly timeout?: number | undefined;
}
