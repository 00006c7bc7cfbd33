/** What Terraform's core does with a provider, used only inside this repository: no package exports it. */
export { askRead, readLater } from "./data-source";
export { type CoreDiagnostic, hasErrors, isError, readDiagnostics } from "./diagnostic";
export { type PlannedAction, planSteps } from "./plan-steps";
export { askPlan, type CheckedPlan, type ObjectType, type ProviderCalls } from "./resource-calls";
export { isSingle, readBlock, type SchemaBlock, type SchemaBlockType } from "./schema";
