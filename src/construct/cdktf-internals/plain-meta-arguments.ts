import type { Properties } from "../../json/is-object";
import {
  TerraformResource,
  type TerraformDataSource,
  type TerraformResourceLifecycle,
} from "cdktf";

/**
 * Returns the meta-arguments of an element by Terraform's names; undefined if cdktf has to translate one of
 * them: `forEach`, provisioners, a connection, or conditions.
 */
export function plainMetaArguments(
  element: TerraformResource | TerraformDataSource,
): Properties | undefined {
  const { count, dependsOn, forEach, lifecycle, provider } = element;
  if (forEach !== undefined) return undefined;
  if (TerraformResource.isTerraformResource(element)) {
    const { connection, provisioners } = element;
    if (connection !== undefined || provisioners !== undefined) return undefined;
  }
  const meta: Record<string, unknown> = {};
  if (dependsOn !== undefined) meta["depends_on"] = dependsOn;
  if (count !== undefined) meta["count"] = count;
  if (provider !== undefined) meta["provider"] = provider.fqn;
  if (lifecycle === undefined) return meta;
  const plain = plainLifecycle(lifecycle);
  if (plain === undefined) return undefined;
  meta["lifecycle"] = plain;
  return meta;
}

function plainLifecycle(lifecycle: TerraformResourceLifecycle): Properties | undefined {
  const { createBeforeDestroy, preventDestroy, ignoreChanges, ...more } = lifecycle;
  if (Object.keys(more).length > 0) return undefined;
  return {
    create_before_destroy: createBeforeDestroy,
    prevent_destroy: preventDestroy,
    ignore_changes: ignoreChanges,
  };
}
