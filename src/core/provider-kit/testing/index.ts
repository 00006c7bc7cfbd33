export { AcceptanceFailure } from "./acceptance/report-check";
export type {
  AcceptanceState,
  AcceptanceStep,
  ApplyStep,
  Configuration,
  DestroyStep,
  Expected,
  ImportStep,
  PlanStep,
  RefreshStep,
} from "./acceptance/step";
export { type AcceptanceTest, testAcceptance } from "./acceptance/step-run";
export { type ReattachOptions, type Reattached, startReattach } from "../host/reattach";
export { type ActionEvent, ActionHarness } from "./operation-harnesses";
export { DataSourceHarness, type DataSourceRead } from "./operation-harnesses";
export type { FaultOperation, FaultScene, FaultTest, FaultWorld } from "./fault-test";
export type { ExploredOperation } from "./faults/explore-faults";
export { type Fault, type FaultKind, faultKinds, type SeenRequest } from "./faults/fault";
export { type CoreDiagnostic as HarnessDiagnostic, readDiagnostics } from "../core/diagnostic";
export {
  ListResourceHarness,
  type ListedResourceEvent,
  type ListOptions,
} from "./operation-harnesses";
export type { ProviderCalls } from "../core/resource-calls";
export { createProviderClient, type ProviderClient } from "./provider-client";
export type { RequestOptions } from "./terraform-harness";
export { ResourceHarness } from "./resource-harness";
export type { PlannedAction } from "../core/plan-steps";
export type {
  DeployedResource,
  ImportTarget,
  ResourcePlan,
  ResourceResult,
  StoredResource,
} from "../core/resource-plan";
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
} from "./provider-client";
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
  type TerraformReport,
  type TerraformValues,
} from "./terraform/terraform-report";
export {
  type ExecutableProvider,
  type InProcessProvider,
  type ProviderUnderTest,
} from "./terraform/served-provider";
export {
  TerraformProject,
  type TerraformProjectOptions,
  type TerraformProjectSettings,
} from "./terraform/terraform-project";
export type { ProviderCommand } from "./terraform/served-provider";
export { FaultFailure, testFaults } from "./test-faults";
export { WireValues } from "./wire-values";
