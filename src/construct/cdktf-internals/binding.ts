import { TerraformDataSource, type TerraformProvider, TerraformResource } from "cdktf";
import { isRecord, type Properties } from "../../json/plain-json";

/** A generated binding that is synthesized. */
export type Binding = TerraformResource | TerraformDataSource | TerraformProvider;

/** Returns the synthesized values of a resource, a data source or a provider, by Terraform's names. */
export function synthesizedBody(binding: Binding): Properties | undefined {
  if (!hasOverrides(binding) && !isMoved(binding)) return attributesOf(binding);
  const fragment: unknown = binding.toTerraform();
  const section = isRecord(fragment)
    ? (fragment["resource"] ?? fragment["data"] ?? fragment["ephemeral"] ?? fragment["provider"])
    : undefined;
  const ofType = isRecord(section) ? Object.values(section)[0] : undefined;
  const body = isRecord(ofType) ? Object.values(ofType)[0] : undefined;
  return isRecord(body) ? body : undefined;
}

/* eslint-disable @typescript-eslint/dot-notation -- protected and private */

/** Returns the attributes from which toTerraform() starts. All of toTerraform() takes five times as long. */
export function attributesOf(binding: Binding): Properties {
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
  const value = `ephemeral.${binding.terraformResourceType}`;
  // `fqn` starts with it.
  Object.defineProperty(binding, "_elementType", { value });
  const user = binding as unknown as FeatureUser;
  user.registerProviderFeatureUsage?.("ephemeralResources");
}

/** Checks whether {@link makeEphemeral} was called. */
export function isEphemeral(binding: TerraformDataSource): boolean {
  const type: unknown = binding["_elementType"];
  return typeof type === "string" && type.startsWith("ephemeral.");
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
