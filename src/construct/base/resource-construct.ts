import type { TerraformProvider, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { bindingConfig, type BindingConfig } from "../props/binding-config";
import { orNone } from "../props/given";
import type { ConstructType } from "../check/construct-type";
import { ElementConstruct } from "./element-construct";
import { ownProperties, providerOf, type MetaArguments } from "../props/meta-arguments";
import type { ProviderConstruct } from "./provider-construct";

/** A construct for one resource. */
export abstract class ResourceConstruct<
  Binding extends TerraformResource = TerraformResource,
  Props extends MetaArguments = MetaArguments,
> extends ElementConstruct<Binding> {
  /**
   * @param build creates the generated binding
   * @throws ValidationError with all problems of the properties
   */
  constructor(
    scope: Construct,
    id: string,
    type: ConstructType,
    props: Props,
    build: (scope: Construct, id: string, config: BindingConfig<Props>) => Binding,
  ) {
    const given = orNone(props);
    super(scope, id, type, ownProperties(given), given.dependsOn, (self) =>
      build(self, "Default", bindingConfig(given)),
    );
  }

  /** Imports an existing resource into Terraform's state. */
  importFrom(id: string, provider?: ProviderConstruct | TerraformProvider): void {
    this.resource.importFrom(id, providerOf(provider));
  }

  /** Moves the resource, with its state, to the one that has this move target. */
  moveTo(moveTarget: string, index?: string | number): void {
    this.resource.moveTo(moveTarget, index);
  }

  /** Names this resource as a target that others can move to. */
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
