export * from "../schema";
export type { ReferenceExample } from "../schema/reference/markdown";
export { type ReferenceOptions, referencePages } from "../schema/reference/pages";
export { DynamicValue } from "./cty/value";
export { serve, type ServeOptions } from "./host/serve";
export { known, type Known } from "./plan/plan-change";
export { type Intent, IntentJournal, type IntentJournalOptions } from "./records/intent-journal";
export type { Environment, Logger } from "./records/logging";
export { providerRoutes } from "./server/calls/routes";
export {
  type ActionContext,
  type ActionHandlers,
  type ActionImplementation,
  type EphemeralContext,
  type EphemeralHandlers,
  type EphemeralResourceImplementation,
  FunctionError,
  type FunctionErrorProps,
  type FunctionImplementation,
  implementAction,
  implementEphemeralResource,
  implementFunction,
  implementListResource,
  type ListContext,
  type ListedResource,
  type ListHandlers,
  type ListResourceImplementation,
} from "./server/capabilities";
export type {
  ChangeContext,
  Context,
  OperationContext,
  PlanContext,
  PrivateState,
  ReadMeta,
  ResourceContext,
  TimedContext,
} from "./server/context";
export {
  type DataSourceHandlers,
  type DataSourceImplementation,
  type IdentityHandlers,
  implement,
  implementDataSource,
  type ImportParts,
  type PlanDraft,
  type PlanModification,
  type RequiredIdentityHandlers,
  type ResourceHandlers,
  type ResourceImplementation,
} from "./server/implementation";
export { movableFrom, type OtherProvider } from "./server/other-provider";
export type {
  ConfigureContext,
  ErasedProvider,
  ProviderDefinition,
} from "./server/provider-definition";
export {
  Deferral,
  type DeferralProps,
  type DeferralReason,
  ProviderError,
  type ProviderErrorProps,
} from "./server/provider-error";
export {
  type BlockedWork,
  booleanSetting,
  findSetting,
  type FoundSetting,
  type SettingName,
  settingsNotKnownYet,
  stringSetting,
  unknownSettings,
} from "./server/setting";
export {
  moveFrom,
  moveFromJson,
  type MoveOptions,
  type MoveSource,
  type StateMove,
  type StateUpgrade,
  upgradeFrom,
  upgradeFromJson,
} from "./server/state-upgrade";
