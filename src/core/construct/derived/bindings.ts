import {
  type IResolvable,
  ref,
  TerraformDataSource,
  type TerraformMetaArguments,
  TerraformProvider,
  TerraformResource,
} from "cdktf";
import type { Construct } from "constructs";
import { type Properties, propertiesOf } from "../../json/plain-json";
import type { Declaration } from "../../schema";
import { makeAction, makeEphemeral } from "../cdktf-internals/binding";
import { bodyOf, hclBodyOf } from "./body";

/** What a binding is created from: the values by the declaration's names, and meta-arguments. */
type Config = Properties & TerraformMetaArguments;

const elementConfig = ({ type }: Declaration, config: Config) => ({
  terraformResourceType: type,
  ...config,
});

export class DerivedResource extends TerraformResource {
  readonly #declaration: Declaration;
  readonly #values: Properties;

  constructor(scope: Construct, id: string, declaration: Declaration, config: Config) {
    super(scope, id, elementConfig(declaration, config));
    this.#declaration = declaration;
    this.#values = config;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return bodyOf(this.#declaration, this.#values);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclBodyOf(this.#declaration, this.#values);
  }
}

export class DerivedDataSource extends TerraformDataSource {
  readonly #declaration: Declaration;
  readonly #values: Properties;

  constructor(scope: Construct, id: string, declaration: Declaration, config: Config) {
    super(scope, id, elementConfig(declaration, config));
    this.#declaration = declaration;
    this.#values = config;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return bodyOf(this.#declaration, this.#values);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclBodyOf(this.#declaration, this.#values);
  }
}

/**
 * The binding of a declared ephemeral resource. Not every library has a class for those. They are written like data
 * sources, except for the name of the section.
 */
export class DerivedEphemeralResource extends DerivedDataSource {
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
export class DerivedAction extends DerivedDataSource {
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
export interface Requirement {
  readonly source: string | undefined;
  readonly version: string | undefined;
}

export class DerivedProvider extends TerraformProvider {
  readonly #declaration: Declaration;
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
    this.#declaration = declaration;
    this.#values = values;
  }

  override get alias(): string | undefined {
    const { alias } = this.#values;
    return typeof alias === "string" ? alias : undefined;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return bodyOf(this.#declaration, this.#values);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclBodyOf(this.#declaration, this.#values);
  }
}
