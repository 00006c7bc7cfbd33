export { ValidationError, type Product } from "../construct";
export { Agent, AgentInstance, ExternalAgent } from "./agent/construct";
export {
  AgentAuth,
  ApiKeyScope,
  Architecture,
  OperatingSystem,
  StartupScriptBehavior,
} from "./agent/generated";
export type {
  AgentInstanceProps,
  AgentDisplayApps,
  AgentMemoryMonitoring,
  AgentMetadata,
  AgentProps,
  AgentResourcesMonitoring,
  AgentVolumeMonitoring,
  ExternalAgentProps,
} from "./agent/generated";
export type {
  AgentAppProps,
  AgentDevcontainerProps,
  AgentEnvOptions,
  AgentModuleProps,
  AgentScriptOrder,
  AgentScriptProps,
} from "./agent/construct";
export { DataTask, AiTask } from "./ai-task/construct";
export type { DataTaskProps, AiTaskProps, AiTaskSidebarApp } from "./ai-task/generated";
export { App } from "./app/construct";
export { AppOpenIn, AppShare } from "./app/generated";
export type { AppHealthcheck, AppProps } from "./app/generated";
export { Devcontainer } from "./devcontainer/construct";
export type { DevcontainerProps } from "./devcontainer/generated";
export { Env } from "./env/construct";
export { MergeStrategy } from "./env/generated";
export type { EnvProps } from "./env/construct";
export { Metadata } from "./metadata/construct";
export type { MetadataItem, MetadataProps } from "./metadata/generated";
export { Module, type ModuleProps } from "./module/construct";
export { DataParameter, type ParameterValidationValues } from "./parameter/construct";
export { Monotonic, ParameterFormType, ParameterType } from "./parameter/generated";
export type {
  DataParameterProps,
  ParameterOption,
  ParameterValidation,
  ParameterValue,
} from "./parameter/props";
export { DataWorkspacePreset, type PresetPrebuildsValues } from "./preset/construct";
export type {
  DataWorkspacePresetProps,
  PresetExpirationPolicy,
  PresetPrebuilds,
  PresetSchedule,
  PresetScheduling,
} from "./preset/generated";
export { coder, products } from "./product";
export { WorkspaceProvider } from "./provider/construct";
export type { PlatformTarget, WorkspaceProviderProps } from "./provider/construct";
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
export { Script } from "./script/construct";
export type { ScriptProps } from "./script/generated";
export type { PlatformLicence } from "./template/platform-facts";
export {
  DataExternalAuth,
  EphemeralExternalAuth,
  DataSecret,
  EphemeralSecret,
  DataWorkspaceOwner,
} from "./workspace-owner/construct";
export type {
  DataExternalAuthProps,
  DataSecretProps,
  DataWorkspaceOwnerProps,
} from "./workspace-owner/generated";
export { DataProvisioner, DataWorkspace, DataWorkspaceTags } from "./workspace/construct";
export type {
  DataProvisionerProps,
  DataWorkspaceProps,
  DataWorkspaceTagsProps,
} from "./workspace/generated";
