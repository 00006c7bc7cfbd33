import {
  Fn,
  type IResolvable,
  ref,
  TerraformCount,
  TerraformDataSource,
  TerraformHclModule,
  type TerraformHclModuleConfig,
  TerraformModule,
  TerraformProvider,
  TerraformResource,
  type TerraformStack,
  Token,
} from "cdktf";
import type { Construct } from "constructs";
import { isRecord, type Properties } from "../../json/plain-json";

/** What is synthesized for a construct: a generated binding, or the call of a module. */
export type Binding = TerraformResource | TerraformDataSource | TerraformProvider | TerraformModule;

/** Returns the synthesized values of a resource, a data source, a provider or a module, by Terraform's names. */
export function synthesizedBody(binding: Binding): Properties | undefined {
  const isModule = binding instanceof TerraformModule;
  if (!isModule && !hasOverrides(binding) && !isMoved(binding)) return attributesOf(binding);
  const fragment: unknown = binding.toTerraform();
  if (isModule) return moduleBody(fragment);
  const section = isRecord(fragment)
    ? (fragment["resource"] ?? fragment["data"] ?? fragment["ephemeral"] ?? fragment["provider"])
    : undefined;
  const action: unknown = isRecord(fragment) ? fragment["action"] : undefined;
  const inner = firstOf(firstOf(section ?? action));
  const body = action === undefined ? inner : isRecord(inner) && inner["config"];
  return isRecord(body) ? body : undefined;
}

function moduleBody(fragment: unknown): Properties | undefined {
  const body = firstOf(isRecord(fragment) ? fragment["module"] : undefined);
  return isRecord(body) ? body : undefined;
}

const firstOf = (value: unknown): unknown =>
  isRecord(value) ? Object.values(value)[0] : undefined;

/* eslint-disable @typescript-eslint/dot-notation -- protected and private */

/** Returns the attributes from which toTerraform() starts. All of toTerraform() takes five times as long. */
export function attributesOf(binding: Exclude<Binding, TerraformModule>): Properties {
  if (TerraformResource.isTerraformResource(binding)) return binding["synthesizeAttributes"]();
  return TerraformDataSource.isTerraformDataSource(binding)
    ? binding["synthesizeAttributes"]()
    : binding["synthesizeAttributes"]();
}

/** Returns the values that were set with `addOverride`, by Terraform's names. */
export const overridesOf = (element: Binding | TerraformStack): Properties =>
  (element as unknown as { readonly rawOverrides: Properties }).rawOverrides;

/** Checks whether `addOverride` was called. */
export function hasOverrides(element: Binding | TerraformStack): boolean {
  for (const _ in overridesOf(element)) return true;
  return false;
}

/** Checks whether Terraform moves another resource to this one, or this one elsewhere. */
export const isMoved = (binding: Binding): boolean =>
  TerraformResource.isTerraformResource(binding) && Boolean(binding.hasResourceMove());

type Synthesize = () => Record<string, unknown>;

/** Makes a binding write other values, in JSON and in native syntax. The methods are protected. */
export function writeBody(binding: Binding, json: Synthesize, hcl: Synthesize): void {
  Object.assign(binding, { synthesizeAttributes: json, synthesizeHclAttributes: hcl });
}

/** Makes a binding convert its values, and the paths of references to them. */
export function convertBinding(
  binding: Exclude<Binding, TerraformProvider | TerraformModule>,
  values: (body: Properties) => Record<string, unknown>,
  path: (path: string) => string,
): void {
  const methods = binding as unknown as Readonly<
    Record<"synthesizeAttributes" | "synthesizeHclAttributes", Synthesize>
  >;
  const json = methods.synthesizeAttributes.bind(binding);
  const hcl = methods.synthesizeHclAttributes.bind(binding);
  writeBody(
    binding,
    () => values(json()),
    () => values(hcl()),
  );
  const reference = binding.interpolationForAttribute.bind(binding);
  binding.interpolationForAttribute = (given) => reference(path(given));
}

/** Gives a binding another type in Terraform. Must be called before anything refers to the binding. */
export function renameType(binding: Binding, terraformResourceType: string): void {
  Object.assign(binding, { terraformResourceType });
  if (TerraformProvider.isTerraformProvider(binding)) return;
  // `fqn` starts with the type; cdktf stores it a second time.
  const isData = TerraformDataSource.isTerraformDataSource(binding);
  const _elementType = isData ? `data.${terraformResourceType}` : terraformResourceType;
  Object.assign(binding, { _elementType });
}

/** What a stack requires of a provider. */
interface RequiredProvider {
  readonly name: string;
  readonly version: string | undefined;
}

/** Makes a stack require another provider, or another version, than the generated binding does. */
export function requireProvider(
  binding: TerraformProvider,
  source: string,
  required: RequiredProvider | undefined,
): void {
  Object.defineProperty(binding, "terraformProviderSource", { value: source });
  if (required === undefined) return;
  const { name: providerName, version } = required;
  const value = { providerName, providerVersion: version, providerVersionConstraint: version };
  Object.defineProperty(binding, "terraformGeneratorMetadata", { value });
}

/**
 * Turns off cdktf's check that the stack has the provider of an element. Our own check says which one to add.
 * cdktf uses this property of an element for nothing else.
 */
export function withoutProviderCheck(element: TerraformResource | TerraformDataSource): void {
  Object.defineProperty(element, "terraformGeneratorMetadata", { value: undefined });
}

/** What only cdktn's elements have. It is protected. */
interface FeatureUser {
  readonly registerProviderFeatureUsage?: (feature: string) => void;
}

/**
 * Makes the library refer to a data source as an ephemeral resource: cdktf has no class for those. cdktn checks that the
 * versions of Terraform that a stack is for have them.
 */
export function makeEphemeral(binding: TerraformDataSource): void {
  referTo(binding, "ephemeral");
  const user = binding as unknown as FeatureUser;
  user.registerProviderFeatureUsage?.("ephemeralResources");
}

/** Makes the library refer to a data source as an action: no library has a class for those. */
export const makeAction = (binding: TerraformDataSource): void => {
  referTo(binding, "action");
};

function referTo(binding: TerraformDataSource, section: string): void {
  // `fqn` starts with it.
  const value = `${section}.${binding.terraformResourceType}`;
  Object.defineProperty(binding, "_elementType", { value });
}

/** Returns the section of a configuration that a data source is written to. */
export function sectionOf(binding: TerraformDataSource): "data" | "ephemeral" | "action" {
  const type: unknown = binding["_elementType"];
  if (typeof type !== "string" || type.startsWith("data.")) return "data";
  return type.startsWith("action.") ? "action" : "ephemeral";
}

export const isImported = (binding: Binding): boolean =>
  TerraformResource.isTerraformResource(binding) && binding["_imported"] !== undefined;

/**
 * Returns Terraform's names of what a generated binding writes as attributes in native syntax. cdktf counts
 * nested attributes as blocks, so they are missing.
 */
export function attributeNames(binding: TerraformDataSource): ReadonlySet<string> {
  const described: unknown = binding["synthesizeHclAttributes"]();
  return new Set(
    Object.entries(isRecord(described) ? described : {}).flatMap(([name, each]) =>
      isRecord(each) && each["isBlock"] === false ? [name] : [],
    ),
  );
}

/** Which instance of a module an output is of: an index or a key. */
type InstanceKey = number | string;

/** The call of a module. cdktf's class has no `count`, and refers to the outputs of several instances as to those of one. */
export class ModuleCall extends TerraformHclModule {
  readonly count: number | TerraformCount | undefined;

  constructor(
    scope: Construct,
    id: string,
    { count, ...config }: TerraformHclModuleConfig & { readonly count?: number | TerraformCount },
  ) {
    super(scope, id, { ...config, skipAssetCreationFromLocalModules: true });
    this.count = count;
  }

  /** Returns an output of one instance; with a `count`, by default that of the only one, which may be missing. */
  output(name: string, key?: InstanceKey): IResolvable {
    const of = (index: string): IResolvable =>
      ref(`module.${this.friendlyUniqueId}${index}.${name}`, this.cdktfStack);
    if (key !== undefined) return of(`[${JSON.stringify(key)}]`);
    if (this.count === undefined) return of("");
    return Token.asAny(Fn.one(Token.asList(of("[*]"))));
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...super.synthesizeAttributes(), ...this.#repetition() };
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    const { count } = this.#repetition();
    const type = { type: "simple", isBlock: false, storageClassType: "number" };
    return {
      ...super.synthesizeHclAttributes(),
      ...(count !== undefined && { count: { value: count, ...type } }),
    };
  }

  #repetition(): { readonly count?: unknown } {
    const { count } = this;
    if (count === undefined) return {};
    return { count: TerraformCount.isTerraformCount(count) ? count.toTerraform() : count };
  }
}
