import type { IResolvable } from "cdktf";
import type { DataSourceMetaArguments } from "../../construct";

/** When prebuilt workspaces expire. */
export interface PresetExpirationPolicy {
  /**
   * Seconds after which an unclaimed prebuild is replaced: 3600 (an hour) to 31536000 (a year), or 0
   * for never.
   */
  readonly ttl: number;
}

/** A number of workspaces for certain times. */
export interface PresetSchedule {
  /**
   * When the schedule applies: five fields as in a crontab, such as `* 8-18 * * 1-5`. The first field
   * (the minute) must be `*`.
   */
  readonly cron: string;
  /** Number of prebuilt workspaces while the schedule applies; 0 or more. */
  readonly instances: number;
}

/** Schedules that change the number of prebuilt workspaces. */
export interface PresetScheduling {
  /** Time zone of the schedules: an IANA name such as `Europe/Berlin`, or `UTC`. */
  readonly timezone: string;
  /** At least one schedule. Schedules must not overlap. */
  readonly schedules: readonly PresetSchedule[] | IResolvable;
}

/** Prebuilt workspaces for users who choose the preset. */
export interface PresetPrebuilds {
  /** Number of prebuilt workspaces, outside of schedules; 0 or more. */
  readonly instances: number;
  /**
   * When prebuilt workspaces expire.
   *
   * @default never
   */
  readonly expirationPolicy?: PresetExpirationPolicy | undefined;
  /**
   * Schedules that change the number of prebuilt workspaces.
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
   * Description of the preset, at most 128 bytes.
   *
   * @default none
   */
  readonly description?: string | undefined;
  /**
   * URL of an icon, at most 256 bytes. The built-in icons are under `/icon/`.
   *
   * @default none
   */
  readonly icon?: string | undefined;
  /**
   * Preselects the preset. Only one preset of a template can be preselected.
   *
   * @default false
   */
  readonly default?: boolean | IResolvable | undefined;
  /**
   * Values by parameter name, as strings. Users choose the values of all other parameters.
   *
   * The template need not have a parameter of that name. `DataWorkspacePreset.set` adds a value and
   * immediately checks it against its parameter.
   *
   * @default none
   */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /**
   * Prebuilt workspaces for users who choose the preset.
   *
   * @default none
   */
  readonly prebuilds?: PresetPrebuilds | undefined;
}
