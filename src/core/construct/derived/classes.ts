import { Lazy, type TerraformDataSource, type TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { classNameOf, type Declaration } from "../../schema";
import { DataSourceConstruct, ResourceConstruct } from "../base/element-construct";
import type { DataSourceMetaArguments, MetaArguments } from "../base/meta-arguments";
import { ProviderConstruct, type ProviderMetaArguments } from "../base/provider-construct";
import type { ConstructType } from "../check/construct-type";
import { addressOf } from "../graph/address";
import { sliceOf } from "../product/dialect";
import { product } from "../product/product";
import {
  DerivedAction,
  DerivedDataSource,
  DerivedEphemeralResource,
  DerivedProvider,
  DerivedResource,
  type Requirement,
} from "./bindings";
import { defineConstructOutputs } from "./outputs";

/** What happens to a resource when Terraform runs an action. Events of destruction need Terraform 1.15. */
export type ActionEvent =
  | "before_create"
  | "after_create"
  | "before_update"
  | "after_update"
  | "before_destroy"
  | "after_destroy";

/** A resource that can trigger an action: one of our constructs, or a generated binding. */
export type TriggeringResource = ResourceConstruct | TerraformResource;

interface Trigger {
  readonly events: readonly ActionEvent[];
  readonly actions: readonly string[];
}

const triggers = new WeakMap<TriggeringResource, readonly Trigger[]>();

/** Adds a trigger to the lifecycle of a resource. Neither library has a property for it. */
function trigger(
  action: TerraformDataSource,
  resource: TriggeringResource,
  events: readonly ActionEvent[],
): void {
  if (events.length === 0) {
    throw new Error('triggeredBy needs an event, such as "after_create"');
  }
  // A reference, which Terraform does not accept as an expression. The name can still change.
  const address = Lazy.stringValue({ produce: () => addressOf(action) });
  const all = [...(triggers.get(resource) ?? []), { events, actions: [address] }];
  triggers.set(resource, all);
  resource.addOverride("lifecycle.action_trigger", all);
}

const typeOf = (declaration: Declaration): ConstructType => ({
  name: `${sliceOf(declaration)}.${classNameOf(declaration)}`,
  declaration,
});

const typeToken = (declaration: Declaration): string =>
  `${product.name}:${sliceOf(declaration)}/v1:${classNameOf(declaration)}`;

/** Gives a class its name, which stack traces show. */
function named<Class extends object>(derived: Class, declaration: Declaration): Class {
  return Object.defineProperty(derived, "name", { value: classNameOf(declaration) });
}

export function resourceClass(declaration: Declaration) {
  const type = typeOf(declaration);
  class Derived extends ResourceConstruct<DerivedResource> {
    static readonly typeToken = typeToken(declaration);

    constructor(scope: Construct, id: string, props: MetaArguments) {
      super(scope, id, type, props, (parent, childId, config) => {
        return new DerivedResource(parent, childId, declaration, { ...config });
      });
    }
  }
  defineConstructOutputs(Derived.prototype, declaration, ({ resource }) => resource);
  return named(Derived, declaration);
}

/** A class of what is written like a data source. */
function readClass(declaration: Declaration, Binding: typeof DerivedDataSource) {
  const type = typeOf(declaration);
  return class Derived extends DataSourceConstruct<DerivedDataSource> {
    static readonly typeToken = typeToken(declaration);

    constructor(scope: Construct, id: string, props: DataSourceMetaArguments) {
      super(scope, id, type, props, (parent, childId, config) => {
        return new Binding(parent, childId, declaration, { ...config });
      });
    }
  };
}

export function dataSourceClass(declaration: Declaration) {
  const Binding = declaration.kind === "data source" ? DerivedDataSource : DerivedEphemeralResource;
  const Derived = readClass(declaration, Binding);
  defineConstructOutputs(Derived.prototype, declaration, ({ resource }) => resource);
  return named(Derived, declaration);
}

export function actionClass(declaration: Declaration) {
  class Derived extends readClass(declaration, DerivedAction) {
    triggeredBy(resource: TriggeringResource, ...events: readonly ActionEvent[]): void {
      trigger(this.resource, resource, events);
    }
  }
  return named(Derived, declaration);
}

export function providerClass(declaration: Declaration, requirement: Requirement) {
  const type = typeOf(declaration);
  class Derived extends ProviderConstruct<DerivedProvider> {
    constructor(scope: Construct, id: string, props: ProviderMetaArguments) {
      super(scope, id, type, props, (parent, childId, config) => {
        return new DerivedProvider(parent, childId, declaration, requirement, { ...config });
      });
    }
  }
  return named(Derived, declaration);
}
