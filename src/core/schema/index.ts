export {
  type Attribute,
  type Attributes,
  block,
  type Block,
  type Blocks,
  camelCase,
  computed,
  type Fields,
  type Nesting,
  optional,
  optionalComputed,
  type Presence,
  required,
  wireName,
} from "./attribute";
export { check, checkValue } from "./check";
export {
  classNameOf,
  dataSource,
  type Declaration,
  type DeclarationKind,
  ephemeralResource,
  type Identity,
  importForms,
  moduleCall,
  provider,
  providerMeta,
  resource,
  type TimeoutName,
  type Timeouts,
  timeouts,
} from "./declaration";
export { durationRule, parseDuration } from "./duration";
export {
  type Correction,
  correctionText,
  didYouMean,
  display,
  errorMeanings,
  type Finding,
  type FindingCode,
  formatPath,
  type Path,
  type Severity,
  suggestion,
} from "./finding";
export {
  type Acknowledged,
  type AnnotatedRemark,
  annotationText,
  type ConstructRemark,
  detailText,
  readAnnotation,
  readDetail,
  type Remark,
  remarkOf,
  ruleIn,
  staleRemark,
} from "./finding-text";
export {
  type ArgumentsOf,
  type FunctionDeclaration,
  type Parameter,
  parameter,
  type Parameters,
  providerFunction,
  type ResultOf,
  variadic,
} from "./function";
export {
  type IdentityBody,
  type IdentityOf,
  type IdentityType,
  optionalForImport,
  requiredForImport,
} from "./identity";
export type { ArgsOf, ConfigOf, GivenOf, PlanOf, StateOf } from "./infer";
export { action, type ListDeclaration, listResource } from "./list-resource";
export {
  goesToLoopback,
  isLocalhostName,
  isLoopbackAuthority,
  isLoopbackHost,
  serviceUrl,
} from "./loopback";
export { type PlanModificationOf, sameDuration, sameJson, sameUrl } from "./plan-modification";
export {
  advise,
  atLeastOneOf,
  type Breach,
  conflicts,
  exactlyOneOf,
  excludes,
  type IsUnknown,
  knownElements,
  preferWriteOnly,
  requires,
  type ResourceRule,
  uniqueIn,
} from "./resource-rule";
export {
  enumMeanings,
  enumValues,
  t,
  type Type,
  type TypedValue,
  UNKNOWN,
  type Unknown,
  type ValueOf,
} from "./type";
export { jsonObjectRule, problemRule, rule, stringRule, type ValueRule } from "./value-rule";
export { knownWarnings, warning, type Warning } from "./warning";
export { type WireSchema, wireSchema } from "./wire-schema";
