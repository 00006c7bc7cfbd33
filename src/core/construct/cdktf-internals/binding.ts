import {
  Fn,
  type IResolvable,
  ref,
  TerraformCount,
  TerraformDataSource,
  TerraformHclModule,
  type TerraformHclModuleConfig,
  TerraformModule,
  type TerraformProvider,
  TerraformResource,
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

/** Checks whether `addOverride` was called. */
export function hasOverrides(binding: Binding): boolean {
  for (const _ in binding["rawOverrides"]) return true;
  return false;
}

/** Checks whether Terraform moves another resource to this one, or this one elsewhere. */
export const isMoved = (binding: Binding): boolean =>
  TerraformResource.isTerraformResource(binding) && Boolean(binding.hasResourceMove());

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
