import type { DataWorkspaceWorkspacePresetConfig } from "../../../bindings/providers/workspace/data-workspace-workspace-preset";
import type { DataSourceBindingConfig } from "../../construct";
import type { DataWorkspacePresetProps } from "./props";

/** The configuration of the generated binding. */
export function presetConfig({
  prebuilds,
  ...config
}: DataSourceBindingConfig<DataWorkspacePresetProps>): DataWorkspaceWorkspacePresetConfig {
  if (prebuilds === undefined) return config;
  const { scheduling, ...own } = prebuilds;
  if (scheduling === undefined) return { ...config, prebuilds: own };
  const { schedules, timezone } = scheduling;
  return { ...config, prebuilds: { ...own, scheduling: { timezone, schedule: schedules } } };
}
