import {
  dependable,
  TerraformProvider,
  type FileProvisioner,
  type ITerraformDependable,
  type ITerraformIterator,
  type LocalExecProvisioner,
  type RemoteExecProvisioner,
  type SSHProvisionerConnection,
  type TerraformCount,
  type TerraformMetaArguments,
  type TerraformResourceLifecycle,
  type WinrmProvisionerConnection,
} from "cdktf";

/** A construct around a provider: {@link ProviderConstruct}. */
export interface ProviderWrapper {
  readonly resource: TerraformProvider;
}

/** cdktf's meta-arguments, which every data source accepts in addition to its own properties. */
export interface DataSourceMetaArguments {
  /**
   * Constructs that Terraform must create before this one.
   *
   * @default only what a property refers to
   */
  readonly dependsOn?: readonly ITerraformDependable[] | undefined;
  /**
   * The number of instances. Cannot be combined with `forEach`.
   *
   * @default one, which is not a list
   */
  readonly count?: number | TerraformCount | undefined;
  /**
   * The collection to create one instance for each element of. Cannot be combined with `count`.
   *
   * @default one instance
   */
  readonly forEach?: ITerraformIterator | undefined;
  /**
   * The provider that this belongs to: one of our constructs or a generated binding.
   *
   * @default the stack's provider without an alias
   */
  readonly provider?: ProviderWrapper | TerraformProvider | undefined;
  /**
   * How Terraform replaces, keeps and validates this.
   *
   * @default Terraform's own behaviour
   */
  readonly lifecycle?: TerraformResourceLifecycle | undefined;
}

/** cdktf's meta-arguments, which every resource accepts in addition to its own properties. */
export interface MetaArguments extends DataSourceMetaArguments {
  /**
   * The provisioners that run when the resource is created or destroyed.
   *
   * @default nothing
   */
  readonly provisioners?:
    readonly (FileProvisioner | LocalExecProvisioner | RemoteExecProvisioner)[] | undefined;
  /**
   * How the provisioners connect to the machine.
   *
   * @default no connection
   */
  readonly connection?: SSHProvisionerConnection | WinrmProvisionerConnection | undefined;
}

const dataSourceNames: Readonly<Record<keyof DataSourceMetaArguments, true>> = {
  dependsOn: true,
  count: true,
  forEach: true,
  provider: true,
  lifecycle: true,
};

const resourceNames: Readonly<Record<keyof MetaArguments, true>> = {
  ...dataSourceNames,
  provisioners: true,
  connection: true,
};

export const ownProperties = <Props extends MetaArguments>(
  props: Props,
): Omit<Props, keyof MetaArguments> => without(props, resourceNames);

export const ownDataSourceProperties = <Props extends DataSourceMetaArguments>(
  props: Props,
): Omit<Props, keyof DataSourceMetaArguments> => without(props, dataSourceNames);

function without<Props extends object, Name extends PropertyKey>(
  props: Props,
  names: Readonly<Record<Name, true>>,
): Omit<Props, Name> {
  const own: Partial<Props> = {};
  for (const name in props) if (!Object.hasOwn(names, name)) own[name] = props[name];
  // Everything but the meta-arguments was copied, so the Partial is complete.
  return own as Omit<Props, Name>;
}

/** Returns the provider in the form that cdktf accepts. */
export function providerOf(
  provider: ProviderWrapper | TerraformProvider | undefined,
): TerraformProvider | undefined {
  return provider === undefined || TerraformProvider.isTerraformProvider(provider)
    ? provider
    : provider.resource;
}

/** Returns the meta-arguments in the form that a generated binding accepts. */
export function bindingMetaArguments(given: MetaArguments): TerraformMetaArguments {
  const provider = providerOf(given.provider);
  return {
    ...(given.dependsOn !== undefined && { dependsOn: [...given.dependsOn] }),
    ...(given.count !== undefined && { count: given.count }),
    ...(given.forEach !== undefined && { forEach: given.forEach }),
    ...(provider !== undefined && { provider }),
    ...(given.lifecycle !== undefined && { lifecycle: withBareTriggers(given.lifecycle) }),
    ...(given.provisioners !== undefined && { provisioners: [...given.provisioners] }),
    ...(given.connection !== undefined && { connection: given.connection }),
  };
}

/** Terraform takes only addresses without braces here, where the libraries would write `${ids_endpoint.edge}`. */
function withBareTriggers(lifecycle: TerraformResourceLifecycle): TerraformResourceLifecycle {
  const { replaceTriggeredBy: triggers } = lifecycle;
  if (triggers === undefined) return lifecycle;
  const bare = triggers.map((each) => dependable(typeof each === "string" ? { fqn: each } : each));
  return { ...lifecycle, replaceTriggeredBy: bare };
}
