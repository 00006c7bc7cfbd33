import {
  type IResolvable,
  Lazy,
  ref,
  TerraformDataSource,
  type TerraformMetaArguments,
  TerraformProvider,
  TerraformResource,
} from "cdktf";
import type { Construct } from "constructs";
import { type Properties, propertiesOf } from "../../json/plain-json";
import { classNameOf, type Declaration } from "../../schema";
import { DataSourceConstruct, ResourceConstruct } from "../base/element-construct";
import type { DataSourceMetaArguments, MetaArguments } from "../base/props";
import { ProviderConstruct, type ProviderMetaArguments } from "../base/provider-construct";
import { type Binding, makeAction, makeEphemeral, writeBody } from "../cdktf-internals/binding";
import { addressOf } from "../graph/address";
import { sliceOf } from "../product/dialect";
import { product } from "../product/product";
import { bodyOf, hclBodyOf } from "./body";
import { defineConstructOutputs } from "./outputs";

/** What a binding is created from: the values by the declaration's names, and meta-arguments. */
type Config = Properties & TerraformMetaArguments;

const elementConfig = ({ type }: Declaration, config: Config) => ({
  terraformResourceType: type,
  ...config,
});

/** Makes a binding write declared values, as a generated one does. */
const writeValues = (binding: Binding, declaration: Declaration, values: Properties): void =>
  writeBody(
    binding,
    () => bodyOf(declaration, values),
    () => hclBodyOf(declaration, values),
  );

class DerivedResource extends TerraformResource {
  constructor(scope: Construct, id: string, declaration: Declaration, config: Config) {
    super(scope, id, elementConfig(declaration, config));
    writeValues(this, declaration, config);
  }
}

class DerivedDataSource extends TerraformDataSource {
  constructor(scope: Construct, id: string, declaration: Declaration, config: Config) {
    super(scope, id, elementConfig(declaration, config));
    writeValues(this, declaration, config);
  }
}

/**
 * The binding of a declared ephemeral resource. Not every library has a class for those. They are written like data
 * sources, except for the name of the section.
 */
class DerivedEphemeralResource extends DerivedDataSource {
  constructor(scope: Construct, id: string, declaration: Declaration, config: Config) {
    super(scope, id, declaration, config);
    makeEphemeral(this);
  }

  override toTerraform(): object {
    return inOwnSection(super.toTerraform() as Properties);
  }

  override toHclTerraform(): object {
    return inOwnSection(super.toHclTerraform() as Properties);
  }

  override interpolationForAttribute(attribute: string): IResolvable {
    const all = this.forEach === undefined ? "" : ".*";
    return ref(
      `ephemeral.${this.terraformResourceType}.${this.friendlyUniqueId}${all}.${attribute}`,
      this.cdktfStack,
    );
  }
}

const inOwnSection = ({ data }: Properties): object => ({ ephemeral: data });

/** The arguments of an action that are beside its configuration. */
const besideConfig = new Set(["count", "for_each", "provider", "//"]);

/** The binding of a declared action. It is written like a data source, with its attributes in a block. */
class DerivedAction extends DerivedDataSource {
  constructor(scope: Construct, id: string, declaration: Declaration, config: Config) {
    super(scope, id, declaration, config);
    makeAction(this);
  }

  override toTerraform(): object {
    const { data } = super.toTerraform() as { readonly data: Properties };
    return { action: eachValue(data, (named) => eachValue(named, configured)) };
  }

  override toHclTerraform(): never {
    throw new Error("actions cannot be synthesized to HCL: unset SYNTH_HCL_OUTPUT");
  }
}

const eachValue = (record: unknown, convert: (value: unknown) => unknown): object =>
  Object.fromEntries(
    Object.entries(propertiesOf(record)).map(([key, value]) => [key, convert(value)]),
  );

function configured(body: unknown): object {
  const entries = Object.entries(propertiesOf(body));
  const beside = entries.filter(([name]) => besideConfig.has(name));
  const config = entries.filter(([name]) => !besideConfig.has(name));
  return { ...Object.fromEntries(beside), config: Object.fromEntries(config) };
}

/** What stacks require of a provider. */
interface Requirement {
  readonly source: string | undefined;
  readonly version: string | undefined;
}

class DerivedProvider extends TerraformProvider {
  readonly #values: Properties;

  constructor(
    scope: Construct,
    id: string,
    declaration: Declaration,
    { source, version }: Requirement,
    values: Properties,
  ) {
    const { type } = declaration;
    super(scope, id, {
      terraformResourceType: type,
      terraformGeneratorMetadata: {
        providerName: type,
        ...(version !== undefined && {
          providerVersion: version,
          providerVersionConstraint: version,
        }),
      },
      ...(source !== undefined && { terraformProviderSource: source }),
    });
    writeValues(this, declaration, values);
    this.#values = values;
  }

  override get alias(): string | undefined {
    const { alias } = this.#values;
    return typeof alias === "string" ? alias : undefined;
  }
}

/** The event of a resource at which Terraform runs an action. Events of destruction need Terraform 1.15. */
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

const typeToken = (declaration: Declaration): string =>
  `${product.name}:${sliceOf(declaration)}/v1:${classNameOf(declaration)}`;

/** Gives a class its name, which stack traces show. */
function named<Class extends object>(derived: Class, declaration: Declaration): Class {
  return Object.defineProperty(derived, "name", { value: classNameOf(declaration) });
}

export function resourceClass(declaration: Declaration): object {
  class Derived extends ResourceConstruct<DerivedResource> {
    static readonly typeToken = typeToken(declaration);

    constructor(scope: Construct, id: string, props: MetaArguments) {
      super(scope, id, declaration, props, (parent, childId, config) => {
        return new DerivedResource(parent, childId, declaration, { ...config });
      });
    }
  }
  defineConstructOutputs(Derived.prototype, declaration, ({ resource }) => resource);
  return named(Derived, declaration);
}

function readClass(declaration: Declaration, Read: typeof DerivedDataSource) {
  return class Derived extends DataSourceConstruct<DerivedDataSource> {
    static readonly typeToken = typeToken(declaration);

    constructor(scope: Construct, id: string, props: DataSourceMetaArguments) {
      super(scope, id, declaration, props, (parent, childId, config) => {
        return new Read(parent, childId, declaration, { ...config });
      });
    }
  };
}

export function dataSourceClass(declaration: Declaration): object {
  const Read = declaration.kind === "data source" ? DerivedDataSource : DerivedEphemeralResource;
  const Derived = readClass(declaration, Read);
  defineConstructOutputs(Derived.prototype, declaration, ({ resource }) => resource);
  return named(Derived, declaration);
}

export function actionClass(declaration: Declaration): object {
  class Derived extends readClass(declaration, DerivedAction) {
    triggeredBy(resource: TriggeringResource, ...events: readonly ActionEvent[]): void {
      trigger(this.resource, resource, events);
    }
  }
  return named(Derived, declaration);
}

export function providerClass(declaration: Declaration, requirement: Requirement): object {
  class Derived extends ProviderConstruct<DerivedProvider> {
    constructor(scope: Construct, id: string, props: ProviderMetaArguments) {
      super(scope, id, declaration, props, (parent, childId, config) => {
        return new DerivedProvider(parent, childId, declaration, requirement, { ...config });
      });
    }
  }
  return named(Derived, declaration);
}
