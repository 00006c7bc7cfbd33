export { type ReattachOptions, type Reattached, startReattach } from "../host/reattach";
export { DataSourceHarness, type DataSourceRead } from "./data-source-harness";
export { type HarnessDiagnostic, readDiagnostics } from "./harness-diagnostic";
export { createProviderClient, type ProviderCalls, type ProviderClient } from "./provider-client";
export type { RequestOptions } from "./requests";
export {
  type DeployedResource,
  type ImportTarget,
  type PlannedAction,
  ResourceHarness,
  type ResourcePlan,
  type ResourceResult,
  type StoredResource,
} from "./resource-harness";
export {
  type Exit,
  type Handshake,
  type SpawnedProvider,
  parseHandshake,
  spawnProvider,
  terraformEnvironment,
} from "./spawn-provider";
export {
  type StartProviderOptions,
  type StartedProvider,
  openSocket,
  startProvider,
} from "./start-provider";
export {
  createTerraformHarness,
  TerraformHarness,
  type TerraformHarnessOptions,
} from "./terraform-harness";
export {
  type TerraformAction,
  type TerraformChange,
  type TerraformDiagnostic,
  TerraformFailure,
  type TerraformPlan,
  TerraformProject,
  type TerraformProjectOptions,
} from "./terraform-project";
export { WireValues } from "./wire-values";
