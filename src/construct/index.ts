export type { BindingConfig, DataSourceBindingConfig } from "./binding-config";
export { attributeReferences, type AttributeReference } from "./attribute-references";
export { CheckedConstruct } from "./checked-construct";
export { checkValues } from "./check-values";
export type {
  ConstructType,
  StackContext,
  StackFinding,
  StackMember,
  StackRule,
} from "./construct-type";
export { DataSourceConstruct } from "./data-source-construct";
export { ElementConstruct } from "./element-construct";
export type { DataSourceMetaArguments, MetaArguments } from "./meta-arguments";
export type { Given } from "./given";
export { literalText, literalValues } from "./literal-values";
export { withExpressions } from "./expression-text";
export { product, providerSource, type Product, type ProductProvider } from "./product";
export { productOf } from "./product-choice";
export { providerVersion } from "./provider-version";
export { ProviderConstruct, type ProviderMetaArguments } from "./provider-construct";
export { ResourceConstruct } from "./resource-construct";
export type { ElementReferences, OutsideReference, ReferenceGraph } from "./references";
export { referencesIn, type ValueReference } from "./references-in";
export { secretOf } from "./secret-outputs";
export { templates, type Template } from "./token/expression";
export { isToken } from "./token/is-token";
export { ValidationError, type ConstructLabel } from "./validation-error";
export { withTexts } from "./with-texts";
