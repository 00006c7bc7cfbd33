import type {
  ITerraformDependable,
  TerraformDataSource,
  TerraformProvider,
  TerraformResource,
} from "cdktf";
import type { Construct } from "constructs";
import type { Properties } from "../../json/plain-json";
import type { Declaration } from "../../schema";
import { type ModuleCall, withoutProviderCheck } from "../cdktf-internals/binding";
import { resolveLiteralBodyOnce } from "../cdktf-internals/literal-body";
import { followNodeDependencies } from "../cdktf-internals/node-dependencies";
import { readWithoutStackTraces } from "../cdktf-internals/stack-traces";
import { CheckedConstruct } from "./checked-construct";
import {
  bindingConfig,
  type BindingConfig,
  type DataSourceMetaArguments,
  type MetaArguments,
  orNone,
  ownProperties,
  providerOf,
} from "./props";
import type { ProviderConstruct } from "./provider-construct";

/**
 * A construct for one resource, one data source or one module.
 *
 * It can be used in `dependsOn` and in `node.addDependency`. Its generated binding is its child
 * `Default`, so that a construct directly under a stack has its own ID as the name in Terraform.
 */
export abstract class ElementConstruct<
  Binding extends TerraformResource | TerraformDataSource | ModuleCall =
    TerraformResource | TerraformDataSource,
>
  extends CheckedConstruct<Binding>
  implements ITerraformDependable
{
  /**
   * @param values the declared properties
   * @param dependsOn the dependencies among the properties
   * @param build creates the generated binding, with this construct as the scope
   * @throws ValidationError with all problems of the values
   */
  constructor(
    scope: Construct,
    id: string,
    declaration: Declaration,
    values: Properties,
    dependsOn: readonly ITerraformDependable[] | undefined,
    build: (scope: Construct) => Binding,
  ) {
    super(scope, id, declaration, values, build);
    const element: TerraformResource | TerraformDataSource | ModuleCall = this.resource;
    if ("terraformResourceType" in element) {
      withoutProviderCheck(element);
      resolveLiteralBodyOnce(element);
      readWithoutStackTraces(element);
    }
    const given = dependsOn?.map((each) =>
      each instanceof CheckedConstruct ? (each.resource as ITerraformDependable) : each,
    );
    followNodeDependencies(this, element, given);
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

/** A construct for one element with properties. */
abstract class DeclaredElement<
  Binding extends TerraformResource | TerraformDataSource,
  Props extends MetaArguments,
> extends ElementConstruct<Binding> {
  /**
   * @param build creates the generated binding
   * @throws ValidationError with all problems of the properties
   */
  constructor(
    scope: Construct,
    id: string,
    declaration: Declaration,
    props: Props,
    build: (scope: Construct, id: string, config: BindingConfig<Props>) => Binding,
  ) {
    const given = orNone(props);
    const own = ownProperties(given, declaration);
    super(scope, id, declaration, own, given.dependsOn, (self) =>
      build(self, "Default", bindingConfig(own, given, declaration)),
    );
  }
}

/** A construct for one data source. */
export abstract class DataSourceConstruct<
  Binding extends TerraformDataSource = TerraformDataSource,
  Props extends DataSourceMetaArguments = DataSourceMetaArguments,
> extends DeclaredElement<Binding, Props> {}

/** The address of a resource or of one of its instances, also in modules. */
const resourceAddress = /^(?:module\.[\w-]+(?:\[.+?\])?\.)*[a-z]\w*\.[\w-]+(?:\[(?:\d+|".*")\])?$/i;

/** A construct for one resource. */
export abstract class ResourceConstruct<
  Binding extends TerraformResource = TerraformResource,
  Props extends MetaArguments = MetaArguments,
> extends DeclaredElement<Binding, Props> {
  /**
   * Imports an existing resource into Terraform's state.
   *
   * @param id a string that may contain references. Write `$${` and `%%{` if `${` and `%{` are part of the ID.
   */
  importFrom(id: string, provider?: ProviderConstruct | TerraformProvider): void {
    this.resource.importFrom(id, providerOf(provider));
  }

  /** Moves the resource, with its state, to the resource with this move target. */
  moveTo(moveTarget: string, index?: string | number): void {
    this.resource.moveTo(moveTarget, index);
  }

  /** Makes this resource a target that others can move to. */
  addMoveTarget(moveTarget: string): void {
    this.resource.addMoveTarget(moveTarget);
  }

  /** Moves the resource, with its state, to the resource at an address such as `ids_endpoint.edge`. */
  moveToId(id: string): void {
    checkAddress(this.resource, "moveToId", id);
    this.resource.moveToId(id);
  }

  /** Moves the state of the resource at an address such as `ids_endpoint.edge` to this one. */
  moveFromId(id: string): void {
    checkAddress(this.resource, "moveFromId", id);
    this.resource.moveFromId(id);
  }
}

function checkAddress(
  { node, terraformResourceType }: TerraformResource,
  method: string,
  id: string,
): void {
  if (resourceAddress.test(id)) return;
  const example = `${terraformResourceType}.${/^[\w-]+$/.test(id) ? id : "edge"}`;
  const path = node.path.replace(/\/Default$/, "");
  throw new Error(
    `${path}: ${method} needs the address of a resource, such as ${JSON.stringify(example)} (got ${JSON.stringify(id)}).`,
  );
}
