import { Lazy, type TerraformDataSource, type TerraformResource } from "cdktf";
import type { ResourceConstruct } from "../base/element-construct";
import { addressOf } from "../graph/address";

/** What happens to a resource when Terraform runs an action. Events of destruction need Terraform 1.15. */
export type ActionEvent =
  | "before_create"
  | "after_create"
  | "before_update"
  | "after_update"
  | "before_destroy"
  | "after_destroy";

/** A resource that can trigger an action: one of our constructs, or a generated binding. */
export type TriggeringResource = ResourceConstruct | TerraformResource;

interface Trigger {
  readonly events: readonly ActionEvent[];
  readonly actions: readonly string[];
}

const triggers = new WeakMap<TriggeringResource, readonly Trigger[]>();

/** Adds a trigger to the lifecycle of a resource. Neither library has a property for it. */
export function trigger(
  action: TerraformDataSource,
  resource: TriggeringResource,
  events: readonly ActionEvent[],
): void {
  if (events.length === 0) {
    throw new Error('triggeredBy needs an event, such as "after_create"');
  }
  // A reference, which Terraform does not accept as an expression. The name can still change.
  const address = Lazy.stringValue({ produce: () => addressOf(action) });
  const all = [...(triggers.get(resource) ?? []), { events, actions: [address] }];
  triggers.set(resource, all);
  resource.addOverride("lifecycle.action_trigger", all);
}
