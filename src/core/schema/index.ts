export type { Attribute, Attributes, Block, Blocks, Fields, Nesting, Presence } from "./attribute";
export { action } from "./list-resource";
export { block, computed, optional, required, optionalComputed } from "./attribute";
export { check, checkValue } from "./check";
export {
  dataSource,
  ephemeralResource,
  moduleCall,
  provider,
  providerMeta,
  resource,
  timeouts,
  type Declaration,
  type DeclarationKind,
  type TimeoutName,
  type Timeouts,
  type Identity,
} from "./declaration";
export { durationRule, parseDuration } from "./duration";
export {
  display,
  errorMeanings,
  formatPath,
  type Finding,
  type FindingCode,
  type Path,
  type Severity,
} from "./finding";
export {
  optionalForImport,
  requiredForImport,
  type IdentityBody,
  type IdentityOf,
  type IdentityType,
} from "./identity";
export type { ArgsOf, ConfigOf, GivenOf, PlanOf, StateOf } from "./infer";
export {
  parameter,
  providerFunction,
  variadic,
  type ArgumentsOf,
  type FunctionDeclaration,
  type Parameter,
  type Parameters,
  type ResultOf,
} from "./function";
export { listResource, type ListDeclaration } from "./list-resource";
export { jsonObjectRule } from "./value-rule";
export {
  advise,
  atLeastOneOf,
  conflicts,
  exactlyOneOf,
  excludes,
  preferWriteOnly,
  requires,
  type Breach,
  type IsUnknown,
  type ResourceRule,
} from "./resource-rule";
export type { PlanModificationOf } from "./plan-modification";
export { sameDuration, sameJson, sameUrl } from "./plan-modification";
export { t, type Type, type TypedValue, type ValueOf } from "./type";
export { knownElements } from "./resource-rule";
export { uniqueIn } from "./resource-rule";
export { UNKNOWN, type Unknown } from "./type";
export { problemRule, rule, stringRule, type ValueRule } from "./value-rule";
export { knownWarnings, warning, type Warning } from "./warning";
export { camelCase, wireName } from "./attribute";
export { wireSchema, type WireSchema } from "./wire-schema";
export { enumMeanings, enumValues } from "./type";
export { classNameOf, importForms } from "./declaration";
export {
  goesToLoopback,
  isLocalhostName,
  isLoopbackAuthority,
  isLoopbackHost,
  serviceUrl,
} from "./loopback";
export {
  type AnnotatedRemark,
  annotationText,
  type Acknowledged,
  type ConstructRemark,
  detailText,
  readDetail,
  type Remark,
  ruleIn,
  readAnnotation,
  remarkOf,
  staleRemark,
} from "./finding-text";
export { type Correction, correctionText, didYouMean, suggestion } from "./finding";
