import { TerraformStack } from "cdktf";
import { Construct } from "constructs";
import type { Properties } from "../../json/plain-json";
import { classNameOf, type Declaration, type Finding } from "../../schema";
import type { Binding } from "../cdktf-internals/binding";
import { withoutStackTraces } from "../cdktf-internals/stack-traces";
import { warn } from "../check/annotations";
import { checkValues } from "../check/check-values";
import type { ConstructType, StackRule } from "../check/construct-type";
import { foreignStack } from "../check/foreign-stack";
import { watch } from "../check/stack-validation";
import { observeOthers, observePlace, recordPlace } from "../check/user-stack";
import { isError, ValidationError } from "../check/validation-error";
import { dialectOf, sliceOf, applyDialect } from "../product/dialect";
import { writeNativeFiles } from "../product/native/native-files";
import type { Product } from "../product/product";
import {
  defaultStateFile,
  fixProduct,
  productOf,
  notInProduct,
  wrongProduct,
} from "../product/stack-product";

/**
 * A construct for one declared resource, data source or provider. It checks its values twice: the
 * arguments in its constructor, and what Terraform will read at synthesis.
 */
export abstract class CheckedConstruct<Child extends Binding = Binding> extends Construct {
  /**
   * Rules across the constructs of this class in one stack. They run when the stack is synthesized.
   *
   * @default none
   */
  protected static readonly stackRules: readonly StackRule[] = [];

  /** The generated binding, for everything that this construct does not offer. */
  readonly resource: Child;

  /**
   * @param values the declared properties
   * @param build creates the generated binding, with this construct as the scope
   * @param chosen the product that a provider selects. @default the stack's
   * @throws ValidationError with all problems of the values, or if the stack is of another library
   */
  constructor(
    scope: Construct,
    id: string,
    declared: Declaration,
    values: Properties,
    build: (scope: Construct) => Child,
    chosen?: Product,
  ) {
    const slice = sliceOf(declared);
    const type: ConstructType = {
      name: `${slice}.${classNameOf(declared)}`,
      declaration: declared,
      stackRules: new.target.stackRules,
    };
    const refuse = (problems: readonly Finding[]): void => {
      const path = [scope.node.path, id].filter((part) => part !== "").join("/");
      throw new ValidationError({ type: type.name, path }, problems, new.target);
    };
    const stack = TerraformStack.of(scope);
    const foreign = foreignStack(stack);
    if (foreign !== undefined) refuse([foreign]);
    const product = chosen ?? productOf(stack, slice);
    const wrong =
      chosen === undefined
        ? notInProduct(declared, product)
        : wrongProduct(stack, declared, chosen);
    const dialect = dialectOf(product, declared);
    const findings = checkValues(dialect?.declaration ?? declared, values);
    if (wrong !== undefined) findings.unshift(wrong);
    if (findings.some(isError)) refuse(findings);
    super(scope, id);
    this.resource = withoutStackTraces(() => build(this));
    if (dialect !== undefined) applyDialect(this.resource, dialect);
    fixProduct(stack, this, declared, product);
    defaultStateFile(stack, declared, product);
    const provider = product.providers[slice];
    if (provider?.nativeFiles !== undefined) {
      writeNativeFiles(stack, declared, provider, dialect);
    }
    const created = recordPlace(new.target);
    observePlace(this, created);
    watch(stack, { construct: this, type, dialect, given: values, created });
    for (const warning of findings) warn(this, warning);
  }
}

observeOthers((construct) => construct instanceof CheckedConstruct);
