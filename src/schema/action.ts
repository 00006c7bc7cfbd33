import type { Attributes, Blocks } from "./attribute";
import { checkConfigured } from "./configured";
import { type Body, type Declaration, plain } from "./declaration";

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
): Declaration<A, B> {
  const declaration = plain("action", type, body);
  checkConfigured(declaration);
  return declaration;
}
