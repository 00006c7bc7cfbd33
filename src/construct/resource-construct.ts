import type { ITerraformDependable, TerraformProvider, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { bindingConfig, type BindingConfig } from "./binding-config";
import { CheckedConstruct } from "./checked-construct";
import type { ConstructType } from "./construct-type";
import { resolveLiteralBodyOnce } from "./literal-body";
import { ownProperties, providerOf, type MetaArguments } from "./meta-arguments";
import { followNodeDependencies } from "./node-dependencies";
import type { ProviderConstruct } from "./provider-construct";

/**
 * A construct that stands for one resource.
 *
 * It can be named in `dependsOn` and in `node.addDependency`. Its generated binding is its child
 * `Default`, so that a construct directly under a stack has its own id as the name in Terraform.
 */
export abstract class ResourceConstruct<
  Binding extends TerraformResource = TerraformResource,
  Props extends MetaArguments = MetaArguments,
>
  extends CheckedConstruct<Binding>
  implements ITerraformDependable
{
  /**
   * @param build makes the generated binding
   * @throws ValidationError with everything that is wrong with the properties
   */
  constructor(
    scope: Construct,
    id: string,
    type: ConstructType,
    props: Props,
    build: (scope: Construct, id: string, config: BindingConfig<Props>) => Binding,
  ) {
    super(scope, id, type, ownProperties(props), (self) =>
      build(self, "Default", bindingConfig(props)),
    );
    followNodeDependencies(this, this.resource, props.dependsOn);
    resolveLiteralBodyOnce(this.resource);
  }

  /** The resource's address in its stack, such as `ids_endpoint.edge`. */
  get fqn(): string {
    return this.resource.fqn;
  }

  /** Names the resource in Terraform; possible until something has referred to it. */
  overrideLogicalId(newLogicalId: string): void {
    this.resource.overrideLogicalId(newLogicalId);
  }

  /** Undoes {@link overrideLogicalId}. */
  resetOverrideLogicalId(): void {
    this.resource.resetOverrideLogicalId();
  }

  /**
   * Sets a value that this construct does not offer, under its path in Terraform, such as
   * `lifecycle.create_before_destroy`. Declared values are checked when the stack is synthesized.
   */
  addOverride(path: string, value: unknown): void {
    this.resource.addOverride(path, value);
  }

  /** Has Terraform take over an existing resource. */
  importFrom(id: string, provider?: ProviderConstruct | TerraformProvider): void {
    this.resource.importFrom(id, providerOf(provider));
  }

  /** Moves the resource, with its state, to the one that `addMoveTarget` was called for. */
  moveTo(moveTarget: string, index?: string | number): void {
    this.resource.moveTo(moveTarget, index);
  }

  /** Makes this resource one that others can move to, under a name of the user's. */
  addMoveTarget(moveTarget: string): void {
    this.resource.addMoveTarget(moveTarget);
  }

  /** Moves the resource, with its state, to the one at an address such as `ids_endpoint.edge`. */
  moveToId(id: string): void {
    this.resource.moveToId(id);
  }

  /** Moves the state of the resource at an address such as `ids_endpoint.edge` to this one. */
  moveFromId(id: string): void {
    this.resource.moveFromId(id);
  }
}
