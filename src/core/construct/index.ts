// First: reports what to install if cdktf is missing. Every entry of the package loads this file first.
import "./library/library";
export { CheckedConstruct } from "./base/checked-construct";
export { DataSourceConstruct, ElementConstruct, ResourceConstruct } from "./base/element-construct";
export {
  type BindingConfig,
  type DataSourceMetaArguments,
  given,
  type Given,
  type MetaArguments,
  orNone,
  type ProviderWrapper,
} from "./base/props";
export { ProviderConstruct, type ProviderMetaArguments } from "./base/provider-construct";
export { ModuleCall, overridesOf } from "./cdktf-internals/binding";
export { acknowledge } from "./check/acknowledge";
export { note, warn } from "./check/annotations";
export { checkValues, literalText, literalValues } from "./check/check-values";
export type { StackContext, StackFinding, StackMember, StackRule } from "./check/construct-type";
export { foreignStack } from "./check/foreign-stack";
export { secretOf } from "./check/secret-outputs";
export { ValidationError } from "./check/validation-error";
export { construct } from "./derived/construct";
export { addressOf } from "./graph/address";
export {
  type AttributeReference,
  attributeReferences,
  readReferences,
  withExpressions,
} from "./graph/attribute-references";
export { referencesIn } from "./graph/reference-walk";
export type { ElementReferences, ReferenceGraph } from "./graph/references";
export { product, providerSource, type Product } from "./product/product";
export { backendIn, productOf, providerVersion } from "./product/stack-product";
export { isToken, templates } from "./token/is-token";
