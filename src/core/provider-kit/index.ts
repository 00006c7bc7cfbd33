export * from "../schema";
export { referencePages, type ReferenceOptions } from "../schema/reference/pages";
export type { ReferenceExample } from "../schema/reference/markdown";
export { DynamicValue } from "./cty/value";
export type { Logger } from "./records/logging";
export { serve, type ServeOptions } from "./host/serve";
export { IntentJournal, type Intent, type IntentJournalOptions } from "./records/intent-journal";
export { known, type Known } from "./plan/plan-change";
export type {
  ChangeContext,
  Context,
  OperationContext,
  PlanContext,
  ReadMeta,
  ResourceContext,
  TimedContext,
} from "./server/context";
export {
  implementAction,
  type ActionContext,
  type ActionHandlers,
  type ActionImplementation,
} from "./server/capabilities";
export {
  implementEphemeralResource,
  type EphemeralContext,
  type EphemeralHandlers,
  type EphemeralResourceImplementation,
} from "./server/capabilities";
export { FunctionError, type FunctionErrorProps } from "./server/capabilities";
export { implementFunction, type FunctionImplementation } from "./server/capabilities";
export type { IdentityHandlers, RequiredIdentityHandlers } from "./server/implementation";
export {
  implement,
  implementDataSource,
  type DataSourceHandlers,
  type DataSourceImplementation,
  type PlanModification,
  type ImportParts,
  type PlanDraft,
  type ResourceHandlers,
  type ResourceImplementation,
} from "./server/implementation";
export { Deferral, type DeferralProps, type DeferralReason } from "./server/provider-error";
export {
  implementListResource,
  type ListContext,
  type ListedResource,
  type ListHandlers,
  type ListResourceImplementation,
} from "./server/capabilities";
export type { PrivateState } from "./server/context";
export type {
  ConfigureContext,
  ErasedProvider,
  ProviderDefinition,
} from "./server/provider-definition";
export { ProviderError, type ProviderErrorProps } from "./server/provider-error";
export { providerRoutes } from "./server/calls/routes";
export { movableFrom, type OtherProvider } from "./server/other-provider";
export {
  moveFrom,
  moveFromJson,
  type MoveOptions,
  type MoveSource,
  type StateMove,
} from "./server/state-upgrade";
export { upgradeFrom, upgradeFromJson, type StateUpgrade } from "./server/state-upgrade";
export {
  booleanSetting,
  findSetting,
  stringSetting,
  type Environment,
  type FoundSetting,
} from "./server/setting";
export {
  settingsNotKnownYet,
  unknownSettings,
  type BlockedWork,
  type SettingName,
} from "./server/setting";
