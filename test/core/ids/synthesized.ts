import { Testing, type TerraformStack } from "cdktf";

/** A part of the JSON that Terraform reads. */
type Json = Readonly<Record<string, unknown>>;

/**
 * The synthesized stack, validated. The provider's version, which depends on the build, is masked.
 */
export function synthesized(stack: TerraformStack): Json {
  const parsed = JSON.parse(Testing.synth(stack, true), (key, value: unknown) =>
    key === "version" ? "<version>" : value,
  ) as Json;
  return parsed;
}

/** The `resource` section of the synthesized stack. */
export function synthesizedResources(stack: TerraformStack): unknown {
  return synthesized(stack)["resource"];
}

/** The Terraform names of the synthesized endpoints. */
export function endpointNames(stack: TerraformStack): readonly string[] {
  const section = synthesized(stack)["resource"] as { readonly ids_endpoint: Json };
  return Object.keys(section.ids_endpoint);
}
