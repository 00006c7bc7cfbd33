import {
  Fn,
  Token,
  type IResolvable,
  type TerraformDataSource,
  type TerraformResource,
} from "cdktf";

type Element = TerraformResource | TerraformDataSource;

/**
 * Returns the value of an attribute in a block that occurs at most once, such as `display_apps[*].editor`;
 * null without the block.
 *
 * The block is a set, but bindings refer to it as to an object, which Terraform refuses.
 */
export function blockValue(resource: Element, path: string): IResolvable {
  return Token.asAny(Fn.one(blockValues(resource, path)));
}

/** Returns the blocks inside such a block as one list: `resources_monitoring[*].volume`. */
export function blockValues(resource: Element, path: string): IResolvable {
  return Token.asAny(Fn.flatten(resource.interpolationForAttribute(path)));
}
