import type { IResolvable } from "cdktf";
import type { DataSourceMetaArguments } from "../../construct";

/** When a workspace that stands ready is too old. */
export interface PresetExpirationPolicy {
  /**
   * Seconds after which a workspace that nobody was given is replaced: 3600 (an hour) to 31536000
   * (a year), or 0 for never.
   */
  readonly ttl: number;
}

/** A number of workspaces for a part of the time. */
export interface PresetSchedule {
  /**
   * When the schedule holds: five fields as in a crontab, the first of which (the minute) is `*`,
   * such as `* 8-18 * * 1-5`.
   */
  readonly cron: string;
  /** How many workspaces stand ready while the schedule holds; 0 or more. */
  readonly instances: number;
}

/** How many workspaces stand ready when. */
export interface PresetScheduling {
  /** Time zone of the schedules: an IANA name such as `Europe/Berlin`, or `UTC`. */
  readonly timezone: string;
  /** At least one schedule; they do not overlap. */
  readonly schedules: readonly PresetSchedule[] | IResolvable;
}

/** Workspaces that stand ready for users who choose the preset. */
export interface PresetPrebuilds {
  /** How many workspaces stand ready, unless the schedule says otherwise; 0 or more. */
  readonly instances: number;
  /**
   * When a workspace that stands ready is too old.
   *
   * @default never
   */
  readonly expirationPolicy?: PresetExpirationPolicy | undefined;
  /**
   * How many workspaces stand ready when.
   *
   * @default `instances`, at all times
   */
  readonly scheduling?: PresetScheduling | undefined;
}

/** The properties of a {@link DataWorkspacePreset}. */
export interface DataWorkspacePresetProps extends DataSourceMetaArguments {
  /** Name of the preset, which identifies it. */
  readonly name: string;
  /**
   * What the preset is for; at most 128 bytes.
   *
   * @default none
   */
  readonly description?: string | undefined;
  /**
   * URL of an icon, at most 256 bytes; built-in ones stand under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Whether users find the preset chosen. At most one preset of a template is.
   *
   * @default false
   */
  readonly default?: boolean | IResolvable | undefined;
  /**
   * Values by the parameters' names, as texts; users choose the values of all other parameters.
   *
   * A name may be one that the template does not have. `DataWorkspacePreset.set` adds a value that is
   * checked against its parameter at once.
   *
   * @default none
   */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Workspaces that stand ready for users who choose the preset.
   *
   * @default none
   */
  readonly prebuilds?: PresetPrebuilds | undefined;
}
