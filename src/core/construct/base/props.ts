import {
  dependable,
  type IResolvable,
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
  Token,
  type WinrmProvisionerConnection,
} from "cdktf";
import { isRecord } from "../../json/plain-json";
import type { Attribute, Declaration, Fields } from "../../schema";

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

/** Returns the properties that are no meta-arguments of the declared kind of element. */
export function ownProperties<Props extends MetaArguments>(
  props: Props,
  { kind }: Declaration,
): Omit<Props, keyof MetaArguments> {
  const metaArguments = kind === "resource" ? resourceNames : dataSourceNames;
  const own: Partial<Props> = {};
  for (const name in props) if (!Object.hasOwn(metaArguments, name)) own[name] = props[name];
  // Everything but the meta-arguments was copied, so the Partial is complete.
  return own as Omit<Props, keyof MetaArguments>;
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
function bindingMetaArguments(given: MetaArguments): TerraformMetaArguments {
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

/** The properties of a construct, as a generated binding takes them. */
export type BindingConfig<Props extends object> = Given<Omit<Props, keyof MetaArguments>> &
  TerraformMetaArguments;

/**
 * Turns the properties of a construct into the configuration of its generated binding, which is typed without
 * `undefined`, and keeps references to the arrays and objects that it receives.
 *
 * @param own the properties without the meta-arguments
 */
export const bindingConfig = <Own extends object>(
  own: Own,
  props: MetaArguments,
  fields: Fields,
): Given<Own> & TerraformMetaArguments =>
  Object.assign(given(own, fields), bindingMetaArguments(props));

/**
 * A value without undefined properties, with mutable copies of its arrays, and with strings for enum values.
 */
export type Given<Value> = Value extends IResolvable
  ? Value
  : Value extends readonly (infer Element)[]
    ? Given<Element>[]
    : Value extends object
      ? { [Name in keyof Value]: GivenProperty<Exclude<Value[Name], undefined>> }
      : Value;

type GivenProperty<Value> = string extends Value
  ? Given<Value>
  : [Extract<Value, string>] extends [never]
    ? Given<Value>
    : string;

/**
 * Copies a value without undefined properties. Tokens and class instances are not copied.
 *
 * @param fields the declaration, by which tokens for enum values become strings
 */
export function given<Value>(value: Value, fields?: Fields): Given<Value> {
  // The compiler cannot check that the recursive function matches the recursive type.
  return copied(value, fields) as Given<Value>;
}

function copied(value: unknown, fields: Fields | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => copied(each, fields));
  if (!isRecord(value)) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype || "resolve" in value) return value;
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const inner = value[name];
    if (inner === undefined) continue;
    const isEnumToken = isRecord(inner) && isEnum(fields?.attributes[name]);
    copy[name] = isEnumToken
      ? Token.asString(inner)
      : copied(inner, fields?.blocks?.[name]?.fields);
  }
  return copy;
}

const isEnum = (attribute: Attribute | undefined): boolean =>
  attribute?.type.kind === "string" && attribute.type.values !== undefined;

/**
 * Returns the properties of a construct, or an empty object if a caller in JavaScript left them out. The
 * checks then report the missing ones.
 */
export function orNone<Props extends object>(props: Props | null | undefined): Props {
  return props ?? ({} as Props);
}
