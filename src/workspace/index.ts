export { ValidationError, type Product } from "../construct";
export { DataExternalAuth } from "./external-auth/construct";
export type { DataExternalAuthProps } from "./external-auth/props";
export { DataParameter, type ParameterValidationValues } from "./parameter/construct";
export type { DataParameterProps, ParameterOption, ParameterValidation } from "./parameter/props";
export { DataProvisioner } from "./provisioner/construct";
export type { DataProvisionerProps } from "./provisioner/props";
export { DataSecret } from "./secret/construct";
export type { DataSecretProps } from "./secret/props";
export { DataTask } from "./task/construct";
export type { DataTaskProps } from "./task/props";
export { DataWorkspace } from "./workspace/construct";
export { DataWorkspaceOwner } from "./workspace-owner/construct";
export type { DataWorkspaceOwnerProps } from "./workspace-owner/props";
export { DataWorkspacePreset, type PresetPrebuildsValues } from "./preset/construct";
export type {
  DataWorkspacePresetProps,
  PresetExpirationPolicy,
  PresetPrebuilds,
  PresetSchedule,
  PresetScheduling,
} from "./preset/props";
export type { DataWorkspaceProps } from "./workspace/props";
export { DataWorkspaceTags } from "./tags/construct";
export type { DataWorkspaceTagsProps } from "./tags/props";
export type { ParameterValue } from "./parameter/props";
export type { PlatformTarget } from "./provider/platform-target";
export type { PlatformLicence } from "./template/platform-requirement";
export { products } from "./product";
export { Agent } from "./agent/construct";
export type { AgentDisplayApps } from "./agent/props";
export { AgentInstance } from "./agent-instance/construct";
export type { AgentInstanceProps } from "./agent-instance/props";
export type { AgentMetadata } from "./agent/props";
export type {
  AgentAppProps,
  AgentDevcontainerProps,
  AgentEnvOptions,
  AgentScriptProps,
} from "./agent/props";
export type { AgentProps } from "./agent/props";
export type {
  AgentMemoryMonitoring,
  AgentResourcesMonitoring,
  AgentVolumeMonitoring,
} from "./agent/props";
export { AiTask } from "./ai-task/construct";
export type { AiTaskProps, AiTaskSidebarApp } from "./ai-task/props";
export { App } from "./app/construct";
export type { AppHealthcheck, AppProps } from "./app/props";
export { Devcontainer } from "./devcontainer/construct";
export type { DevcontainerProps } from "./devcontainer/props";
export { Env } from "./env/construct";
export type { EnvProps } from "./env/props";
export { ExternalAgent } from "./external-agent/construct";
export type { ExternalAgentProps } from "./external-agent/props";
export { Metadata } from "./metadata/construct";
export type { MetadataItem, MetadataProps } from "./metadata/props";
export { Script } from "./script/construct";
export type { ScriptProps } from "./script/props";
export { AgentAuth } from "./agent/enums";
export { ApiKeyScope } from "./agent/enums";
export { AppOpenIn } from "./app/enums";
export { AppShare } from "./app/enums";
export { Architecture } from "./agent/enums";
export { MergeStrategy } from "./env/enums";
export { Monotonic } from "./parameter/enums";
export { OperatingSystem } from "./agent/enums";
export { ParameterFormType } from "./parameter/enums";
export { ParameterType } from "./parameter/enums";
export { StartupScriptBehavior } from "./agent/enums";
export { WorkspaceProvider } from "./provider/construct";
export type { WorkspaceProviderProps } from "./provider/props";
