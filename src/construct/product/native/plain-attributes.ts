import { TerraformDataSource, type TerraformStack } from "cdktf";
import { isObject, type Properties } from "../../../json/is-object";
import { attributeNames } from "../../cdktf-internals/binding";
import { addressOf } from "../../graph/address";

const metaArguments = new Set(["//", "count", "depends_on", "for_each", "lifecycle", "provider"]);

/**
 * Checks whether the body of a data source of another provider contains only attributes.
 *
 * An object in JSON can be an attribute or a block, and only the provider's schema tells which. A binding
 * knows the names of some attributes. Returns false if in doubt: platforms take the values of these data
 * sources from a plan, and do not need to see the content.
 */
export function hasOnlyAttributes(
  stack: TerraformStack,
  address: string,
  body: Properties,
): boolean {
  // Its `config` and `defaults` are attributes.
  if (address.startsWith("data.terraform_remote_state.")) return true;
  const open = Object.entries(body).filter(
    ([name, value]) => !metaArguments.has(name) && containsObject(value),
  );
  if (open.length === 0) return true;
  const binding = stack.node
    .findAll()
    .filter((each) => TerraformDataSource.isTerraformDataSource(each))
    .find((each) => addressOf(each) === address);
  const known = binding === undefined ? new Set() : attributeNames(binding);
  return open.every(([name]) => known.has(name));
}

const containsObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(containsObject) : isObject(value);
