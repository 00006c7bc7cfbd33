export type { ProcessEnd } from "../../process/serving-process";
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
export {
  type ActionEvent,
  ActionHarness,
  DataSourceHarness,
  type DataSourceRead,
  type ListedResourceEvent,
  ListResourceHarness,
  type ListOptions,
} from "./operation-harnesses";
export type { FaultOperation, FaultScene, FaultTest, FaultWorld } from "./fault-test";
export { type Fault, type FaultKind, faultKinds, type SeenRequest } from "./faults/fault";
export { type CoreDiagnostic as HarnessDiagnostic, readDiagnostics } from "../core/diagnostic";
export type { ProviderCalls } from "../core/resource-calls";
export {
  createProviderClient,
  openSocket,
  type ProviderClient,
  startProvider,
  type StartedProvider,
  type StartProviderOptions,
} from "./provider-client";
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
  type Handshake,
  type SpawnedProvider,
  parseHandshake,
  spawnProvider,
  terraformEnvironment,
} from "./spawn-provider";
export {
  createTerraformHarness,
  type RequestOptions,
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
export type {
  ExecutableProvider,
  InProcessProvider,
  ProviderCommand,
  ProviderUnderTest,
} from "./terraform/served-provider";
export {
  TerraformProject,
  type TerraformProjectOptions,
  type TerraformProjectSettings,
} from "./terraform/terraform-project";
export { type ExploredOperation, FaultFailure, testFaults } from "./test-faults";
export { WireValues } from "./wire-values";
