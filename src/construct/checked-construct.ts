import { Construct } from "constructs";
import type { Finding } from "../schema";
import { checkValues } from "./check-values";
import type { ConstructType } from "./construct-type";
import { withoutStackTraces } from "./stack-traces";
import { watch } from "./stack-validation";
import type { Binding, Values } from "./synthesized-values";
import { ValidationError } from "./validation-error";
import { warn } from "./warning";

const isError = ({ severity }: Finding): boolean => severity === "error";

/**
 * A construct that stands for one declared resource or provider, and checks its values twice: those
 * that it is given, in its constructor, and those that Terraform will read, at synthesis.
 */
export abstract class CheckedConstruct<Child extends Binding = Binding> extends Construct {
  /** The generated binding: the way to whatever this construct does not offer itself. */
  readonly resource: Child;

  /**
   * @param values the declared properties
   * @param build makes the generated binding; it is called with this construct as the scope
   * @throws ValidationError with everything that is wrong with the values
   */
  constructor(
    scope: Construct,
    id: string,
    type: ConstructType,
    values: Values,
    build: (scope: Construct) => Child,
  ) {
    const findings = checkValues(type.declaration, values);
    const errors = findings.filter(isError);
    if (errors.length > 0) {
      const path = [scope.node.path, id].filter((part) => part !== "").join("/");
      throw new ValidationError({ type: type.name, path }, errors, new.target);
    }
    super(scope, id);
    this.resource = withoutStackTraces(() => build(this));
    watch({ construct: this, type, given: values });
    for (const warning of findings) warn(this, type.name, warning);
  }
}
