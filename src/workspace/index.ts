export { ValidationError, type Product } from "../construct";
export * from "./data";
export type { PlatformLicence, PlatformTarget } from "./platform-target";
export { products } from "./product";
export { Agent } from "./resource/agent";
export type { AgentDisplayApps } from "./resource/agent-display-apps";
export { AgentInstance } from "./resource/agent-instance";
export type { AgentInstanceProps } from "./resource/agent-instance-props";
export type { AgentMetadata } from "./resource/agent-metadata";
export type {
  AgentAppProps,
  AgentDevcontainerProps,
  AgentEnvOptions,
  AgentScriptProps,
} from "./resource/agent-part-props";
export type { AgentProps } from "./resource/agent-props";
export type {
  AgentMemoryMonitoring,
  AgentResourcesMonitoring,
  AgentVolumeMonitoring,
} from "./resource/agent-resources-monitoring";
export { AiTask } from "./resource/ai-task";
export type { AiTaskProps, AiTaskSidebarApp } from "./resource/ai-task-props";
export { App } from "./resource/app";
export type { AppHealthcheck, AppProps } from "./resource/app-props";
export { Devcontainer } from "./resource/devcontainer";
export type { DevcontainerProps } from "./resource/devcontainer-props";
export { Env } from "./resource/env";
export type { EnvProps } from "./resource/env-props";
export { ExternalAgent } from "./resource/external-agent";
export type { ExternalAgentProps } from "./resource/external-agent-props";
export { Metadata } from "./resource/metadata";
export type { MetadataItem, MetadataProps } from "./resource/metadata-props";
export { Script } from "./resource/script";
export type { ScriptProps } from "./resource/script-props";
export { AgentAuth } from "./words/agent-auth";
export { ApiKeyScope } from "./words/api-key-scope";
export { AppOpenIn } from "./words/app-open-in";
export { AppShare } from "./words/app-share";
export { Architecture } from "./words/architecture";
export { MergeStrategy } from "./words/merge-strategy";
export { Monotonic } from "./words/monotonic";
export { OperatingSystem } from "./words/operating-system";
export { ParameterFormType } from "./words/parameter-form-type";
export { ParameterType } from "./words/parameter-type";
export { StartupScriptBehavior } from "./words/startup-script-behavior";
export { WorkspaceProvider } from "./workspace-provider";
export type { WorkspaceProviderProps } from "./workspace-provider-props";
