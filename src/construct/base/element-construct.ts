import type { ITerraformDependable, TerraformDataSource, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { CheckedConstruct } from "./checked-construct";
import type { ConstructType } from "../check/construct-type";
import { resolveLiteralBodyOnce } from "../cdktf-internals/literal-body";
import { withoutProviderCheck } from "../cdktf-internals/provider-check";
import { followNodeDependencies } from "./node-dependencies";
import { readWithoutStackTraces } from "../cdktf-internals/stack-traces";
import type { Values } from "../cdktf-internals/binding";

/**
 * A construct for one resource or one data source.
 *
 * It can be used in `dependsOn` and in `node.addDependency`. Its generated binding is its child
 * `Default`, so that a construct directly under a stack has its own ID as the name in Terraform.
 */
export abstract class ElementConstruct<
  Binding extends TerraformResource | TerraformDataSource = TerraformResource | TerraformDataSource,
>
  extends CheckedConstruct<Binding>
  implements ITerraformDependable
{
  /**
   * @param values the declared properties
   * @param dependsOn the dependencies that the properties name
   * @param build creates the generated binding, with this construct as the scope
   * @throws ValidationError with all problems of the values
   */
  constructor(
    scope: Construct,
    id: string,
    type: ConstructType,
    values: Values,
    dependsOn: readonly ITerraformDependable[] | undefined,
    build: (scope: Construct) => Binding,
  ) {
    super(scope, id, type, values, build);
    withoutProviderCheck(this.resource);
    resolveLiteralBodyOnce(this.resource);
    followNodeDependencies(this, this.resource, dependsOn);
    readWithoutStackTraces(this.resource);
  }

  /** The address in the stack, such as `ids_endpoint.edge` or `data.workspace_parameter.region`. */
  get fqn(): string {
    return this.resource.fqn;
  }

  /** Sets its name in Terraform. This is possible until something refers to it. */
  overrideLogicalId(newLogicalId: string): void {
    this.resource.overrideLogicalId(newLogicalId);
  }

  /** Undoes {@link overrideLogicalId}. */
  resetOverrideLogicalId(): void {
    this.resource.resetOverrideLogicalId();
  }

  /**
   * Sets a value that this construct does not offer, by its path in Terraform, such as
   * `lifecycle.create_before_destroy`. Declared values are checked when the stack is synthesized.
   */
  addOverride(path: string, value: unknown): void {
    this.resource.addOverride(path, value);
  }
}
