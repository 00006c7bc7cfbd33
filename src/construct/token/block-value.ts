import {
  Fn,
  Token,
  type IResolvable,
  type TerraformDataSource,
  type TerraformResource,
} from "cdktf";

type Element = TerraformResource | TerraformDataSource;

/**
 * What an attribute has in a block that stands once at most, such as `display_apps[*].editor`; null
 * without the block.
 *
 * The block is a set, and bindings refer to it as to an object, which Terraform refuses.
 */
export function blockValue(resource: Element, path: string): IResolvable {
  return Token.asAny(Fn.one(blockValues(resource, path)));
}

/** What blocks inside of such a block are, as one list: `resources_monitoring[*].volume`. */
export function blockValues(resource: Element, path: string): IResolvable {
  return Token.asAny(Fn.flatten(resource.interpolationForAttribute(path)));
}
