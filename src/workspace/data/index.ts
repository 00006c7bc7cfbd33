export { DataExternalAuth } from "../external-auth/construct";
export type { DataExternalAuthProps } from "../external-auth/props";
export { DataParameter, type ParameterValidationValues } from "../parameter/construct";
export type { DataParameterProps, ParameterOption, ParameterValidation } from "../parameter/props";
export { DataProvisioner } from "../provisioner/construct";
export type { DataProvisionerProps } from "../provisioner/props";
export { DataSecret } from "../secret/construct";
export type { DataSecretProps } from "../secret/props";
export { DataTask } from "../task/construct";
export type { DataTaskProps } from "../task/props";
export { DataWorkspace } from "../workspace/construct";
export { DataWorkspaceOwner } from "../workspace-owner/construct";
export type { DataWorkspaceOwnerProps } from "../workspace-owner/props";
export { DataWorkspacePreset, type PresetPrebuildsValues } from "../preset/construct";
export type {
  DataWorkspacePresetProps,
  PresetExpirationPolicy,
  PresetPrebuilds,
  PresetSchedule,
  PresetScheduling,
} from "../preset/props";
export type { DataWorkspaceProps } from "../workspace/props";
export { DataWorkspaceTags } from "../tags/construct";
export type { DataWorkspaceTagsProps } from "../tags/props";
export type { ParameterValue } from "../parameter/value";
