// First: reports in our words that cdktf is not installed. Every entry of the package loads this file first.
import "./library/library";
export { addressOf } from "./graph/address";
export { construct } from "./derived/construct";
export type { DataSourceBindingConfig } from "./base/binding-config";
export { acknowledge } from "./check/acknowledge";
export {
  type AttributeReference,
  attributeReferences,
  readReferences,
} from "./graph/attribute-references";
export { CheckedConstruct } from "./base/checked-construct";
export { checkValues } from "./check/check-values";
export type { StackContext, StackFinding, StackMember, StackRule } from "./check/construct-type";
export { DataSourceConstruct, ElementConstruct } from "./base/element-construct";
export { ModuleCall } from "./cdktf-internals/binding";
export {
  type DataSourceMetaArguments,
  type MetaArguments,
  type ProviderWrapper,
} from "./base/meta-arguments";
export { given, orNone, type Given } from "./base/binding-config";
export { foreignStack } from "./check/foreign-stack";
export { literalText, literalValues } from "./check/check-values";
export { withExpressions } from "./graph/attribute-references";
export { product, providerSource, type Product } from "./product/product";
export { productOf } from "./product/stack-product";
export { backendIn } from "./product/stack-product";
export { providerVersion } from "./product/stack-product";
export { ProviderConstruct, type ProviderMetaArguments } from "./base/provider-construct";
export { ResourceConstruct } from "./base/element-construct";
export type { ElementReferences, ReferenceGraph } from "./graph/references";
export { referencesIn } from "./graph/reference-walk";
export { secretOf } from "./check/secret-outputs";
export { templates } from "./token/is-token";
export { isToken } from "./token/is-token";
export { note, warn } from "./check/annotations";
export { ValidationError } from "./check/validation-error";
