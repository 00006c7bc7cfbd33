export { ValidationError, type Product } from "../construct";
export { DataExternalAuth, EphemeralExternalAuth } from "./external-auth/construct";
export type { DataExternalAuthProps } from "./external-auth/generated";
export { DataParameter, type ParameterValidationValues } from "./parameter/construct";
export type { DataParameterProps, ParameterOption, ParameterValidation } from "./parameter/props";
export { DataProvisioner } from "./provisioner/construct";
export type { DataProvisionerProps } from "./provisioner/generated";
export {
  DataScriptOrder,
  type OrderedScripts,
  type ScriptOrderOptions,
} from "./script-order/construct";
export {
  ScriptPhase,
  ScriptRequirement,
  type DataScriptOrderProps,
  type ScriptOrderRule,
} from "./script-order/generated";
export { DataSecret, EphemeralSecret } from "./secret/construct";
export type { DataSecretProps } from "./secret/generated";
export { DataTask } from "./task/construct";
export type { DataTaskProps } from "./task/generated";
export { DataWorkspace } from "./workspace/construct";
export { DataWorkspaceOwner } from "./workspace-owner/construct";
export type { DataWorkspaceOwnerProps } from "./workspace-owner/generated";
export { DataWorkspacePreset, type PresetPrebuildsValues } from "./preset/construct";
export type {
  DataWorkspacePresetProps,
  PresetExpirationPolicy,
  PresetPrebuilds,
  PresetSchedule,
  PresetScheduling,
} from "./preset/generated";
export type { DataWorkspaceProps } from "./workspace/generated";
export { DataWorkspaceTags } from "./tags/construct";
export type { DataWorkspaceTagsProps } from "./tags/generated";
export type { ParameterValue } from "./parameter/props";
export type { PlatformTarget } from "./provider/props";
export type { PlatformLicence } from "./template/platform-requirement";
export { coder, products } from "./product";
export { Agent } from "./agent/construct";
export { AgentInstance } from "./agent-instance/construct";
export type { AgentInstanceProps } from "./agent-instance/generated";
export type {
  AgentAppProps,
  AgentDevcontainerProps,
  AgentEnvOptions,
  AgentModuleProps,
  AgentScriptOrder,
  AgentScriptProps,
} from "./agent/props";
export type {
  AgentDisplayApps,
  AgentMemoryMonitoring,
  AgentMetadata,
  AgentProps,
  AgentResourcesMonitoring,
  AgentVolumeMonitoring,
} from "./agent/generated";
export { AiTask } from "./ai-task/construct";
export type { AiTaskProps, AiTaskSidebarApp } from "./ai-task/generated";
export { App } from "./app/construct";
export type { AppHealthcheck, AppProps } from "./app/generated";
export { Devcontainer } from "./devcontainer/construct";
export type { DevcontainerProps } from "./devcontainer/generated";
export { Env } from "./env/construct";
export type { EnvProps } from "./env/props";
export { ExternalAgent } from "./external-agent/construct";
export type { ExternalAgentProps } from "./external-agent/generated";
export { Metadata } from "./metadata/construct";
export { Module, type ModuleProps } from "./module/construct";
export type { MetadataItem, MetadataProps } from "./metadata/generated";
export { Script } from "./script/construct";
export type { ScriptProps } from "./script/generated";
export {
  AgentAuth,
  ApiKeyScope,
  Architecture,
  OperatingSystem,
  StartupScriptBehavior,
} from "./agent/generated";
export { AppOpenIn, AppShare } from "./app/generated";
export { MergeStrategy } from "./env/generated";
export { Monotonic, ParameterFormType, ParameterType } from "./parameter/generated";
export { WorkspaceProvider } from "./provider/construct";
export type { WorkspaceProviderProps } from "./provider/props";
