export { DataExternalAuth } from "./data-external-auth";
export type { DataExternalAuthProps } from "./data-external-auth-props";
export { DataParameter, type ParameterValidationValues } from "./data-parameter";
export type {
  DataParameterProps,
  ParameterOption,
  ParameterValidation,
} from "./data-parameter-props";
export { DataProvisioner } from "./data-provisioner";
export type { DataProvisionerProps } from "./data-provisioner-props";
export { DataSecret } from "./data-secret";
export type { DataSecretProps } from "./data-secret-props";
export { DataTask } from "./data-task";
export type { DataTaskProps } from "./data-task-props";
export { DataWorkspace } from "./data-workspace";
export { DataWorkspaceOwner } from "./data-workspace-owner";
export type { DataWorkspaceOwnerProps } from "./data-workspace-owner-props";
export { DataWorkspacePreset, type PresetPrebuildsValues } from "./data-workspace-preset";
export type {
  DataWorkspacePresetProps,
  PresetExpirationPolicy,
  PresetPrebuilds,
  PresetSchedule,
  PresetScheduling,
} from "./data-workspace-preset-props";
export type { DataWorkspaceProps } from "./data-workspace-props";
export { DataWorkspaceTags } from "./data-workspace-tags";
export type { DataWorkspaceTagsProps } from "./data-workspace-tags-props";
export type { ParameterValue } from "./parameter-value";
