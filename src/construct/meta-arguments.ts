import type {
  FileProvisioner,
  ITerraformDependable,
  ITerraformIterator,
  LocalExecProvisioner,
  RemoteExecProvisioner,
  SSHProvisionerConnection,
  TerraformCount,
  TerraformMetaArguments,
  TerraformProvider,
  TerraformResourceLifecycle,
  WinrmProvisionerConnection,
} from "cdktf";
import { ProviderConstruct } from "./provider-construct";

/** What every resource takes besides its own properties: cdktf's meta-arguments. */
export interface MetaArguments {
  /**
   * Constructs that Terraform has to create before this one.
   *
   * @default only those that a property refers to
   */
  readonly dependsOn?: readonly ITerraformDependable[] | undefined;
  /**
   * How many instances of the resource there are; excludes `forEach`.
   *
   * @default one, which is no list
   */
  readonly count?: number | TerraformCount | undefined;
  /**
   * What to make one instance for each of; excludes `count`.
   *
   * @default one instance
   */
  readonly forEach?: ITerraformIterator | undefined;
  /**
   * The provider that manages the resource: one of our constructs or a generated binding.
   *
   * @default the stack's provider without an alias
   */
  readonly provider?: ProviderConstruct | TerraformProvider | undefined;
  /**
   * How Terraform replaces and keeps the resource.
   *
   * @default Terraform's own behaviour
   */
  readonly lifecycle?: TerraformResourceLifecycle | undefined;
  /**
   * What runs when the resource is created or destroyed.
   *
   * @default nothing
   */
  readonly provisioners?:
    readonly (FileProvisioner | LocalExecProvisioner | RemoteExecProvisioner)[] | undefined;
  /**
   * How the provisioners reach the machine.
   *
   * @default no connection
   */
  readonly connection?: SSHProvisionerConnection | WinrmProvisionerConnection | undefined;
}

const names: Readonly<Record<keyof MetaArguments, true>> = {
  dependsOn: true,
  count: true,
  forEach: true,
  provider: true,
  lifecycle: true,
  provisioners: true,
  connection: true,
};

/** The properties of a resource without the meta-arguments. */
export function ownProperties<Props extends MetaArguments>(
  props: Props,
): Omit<Props, keyof MetaArguments> {
  const own: Partial<Props> = {};
  for (const name in props) if (!Object.hasOwn(names, name)) own[name] = props[name];
  // Everything but the meta-arguments was copied: what is left of Partial is Omit.
  return own as Props;
}

/** The provider as cdktf takes it. */
export function providerOf(
  provider: ProviderConstruct | TerraformProvider | undefined,
): TerraformProvider | undefined {
  return provider instanceof ProviderConstruct ? provider.resource : provider;
}

/** The meta-arguments as a generated binding takes them. */
export function bindingMetaArguments(given: MetaArguments): TerraformMetaArguments {
  const provider = providerOf(given.provider);
  return {
    ...(given.dependsOn !== undefined && { dependsOn: [...given.dependsOn] }),
    ...(given.count !== undefined && { count: given.count }),
    ...(given.forEach !== undefined && { forEach: given.forEach }),
    ...(provider !== undefined && { provider }),
    ...(given.lifecycle !== undefined && { lifecycle: given.lifecycle }),
    ...(given.provisioners !== undefined && { provisioners: [...given.provisioners] }),
    ...(given.connection !== undefined && { connection: given.connection }),
  };
}
