import type { IResolvable } from "cdktf";
import type { MetaArguments } from "../../construct";

/** The properties of a {@link Script}. At least one of `runOnStart`, `runOnStop` and `cron` is required. */
export interface ScriptProps extends MetaArguments {
  /**
   * ID of the agent. Pass the agent's `agentId` directly: the platform follows this reference.
   *
   * A change replaces the script.
   */
  readonly agentId: string;
  /** Name that users see. */
  readonly displayName: string;
  /** Content of the script. */
  readonly script: string;
  /**
   * URL of an icon. The built-in icons are under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Path of the log file in the workspace. A relative path is resolved against the temporary folder.
   *
   * @default the platform's default
   */
  readonly logPath?: string | undefined;
  /**
   * Runs the script when the workspace starts.
   *
   * @default false
   */
  readonly runOnStart?: boolean | IResolvable | undefined;
  /**
   * Runs the script before the workspace stops.
   *
   * @default false
   */
  readonly runOnStop?: boolean | IResolvable | undefined;
  /**
   * Lets users log in only after the script has ended. Needs `runOnStart`.
   *
   * @default false
   */
  readonly startBlocksLogin?: boolean | IResolvable | undefined;
  /**
   * When the script runs: second, minute, hour, day of the month, month and, optionally, weekday; or a
   * descriptor such as `@hourly` or `@every 5m`. A valid crontab line causes a warning, because its
   * first field would be the second.
   *
   * @default the script does not run on a schedule
   */
  readonly cron?: string | undefined;
  /**
   * Maximum duration of one run, in seconds; 0 means no limit.
   *
   * @default 0
   */
  readonly timeout?: number | undefined;
}
