import type { TerraformProvider, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { bindingConfig, type BindingConfig } from "../props/binding-config";
import type { ConstructType } from "../check/construct-type";
import { ElementConstruct } from "./element-construct";
import { ownProperties, providerOf, type MetaArguments } from "../props/meta-arguments";
import type { ProviderConstruct } from "./provider-construct";

/**
 * A construct that stands for one resource.
 */
export abstract class ResourceConstruct<
  Binding extends TerraformResource = TerraformResource,
  Props extends MetaArguments = MetaArguments,
> extends ElementConstruct<Binding> {
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
    super(scope, id, type, ownProperties(props), props.dependsOn, (self) =>
      build(self, "Default", bindingConfig(props)),
    );
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
