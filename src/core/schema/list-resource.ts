import type { Attributes, Blocks } from "./attribute";
import { type Body, type Declaration, plain } from "./declaration";

/** A declared list of the resources of a type that exist. Its attributes are the configuration of a query. */
export interface ListDeclaration<
  A extends Attributes = Attributes,
  B extends Blocks = Blocks,
  R extends Declaration = Declaration,
> extends Declaration<A, B> {
  /** The resource whose instances are listed. It has an identity. */
  readonly resource: R;
}

/**
 * Declares the list of a resource, for `list` blocks and `terraform query` (Terraform 1.14). Its type is that of
 * the resource.
 *
 * @throws Error when the resource has no identity, or an attribute is not required or optional
 * @see {@link https://developer.hashicorp.com/terraform/language/block/tfquery/list}
 */
export function listResource<
  R extends Declaration,
  const A extends Attributes,
  const B extends Blocks = Record<never, never>,
>(resource: R, body: Body<A, B>): ListDeclaration<A, B, R> {
  if (resource.identity === undefined) {
    throw new Error(`${resource.type}: only a resource that declares an identity can be listed`);
  }
  return { ...plain("list resource", resource.type, body), resource };
}

/**
 * Declares an action: something that a provider does for a user, and that leaves no state, such as a restart.
 * `action` blocks configure it, and `action_trigger` or `terraform apply -invoke` runs it (Terraform 1.14).
 *
 * @throws Error when an attribute is not required or optional
 * @see {@link https://developer.hashicorp.com/terraform/language/block/action}
 */
export function action<const A extends Attributes, const B extends Blocks = Record<never, never>>(
  type: string,
  body: Body<A, B>,
): Declaration<A, B, Attributes, "action"> {
  return plain("action", type, body);
}
