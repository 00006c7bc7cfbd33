import type { TerraformDataSource, TerraformResource } from "cdktf";

/**
 * Turns off cdktf's check that the stack has the provider of an element. Ours says what to add. cdktf reads
 * this property of an element for nothing else.
 */
export function withoutProviderCheck(binding: TerraformResource | TerraformDataSource): void {
  Object.defineProperty(binding, "terraformGeneratorMetadata", { value: undefined });
}
