import type { Declaration } from "../../schema/declaration";
import type { ConfigOf, GivenOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import type { Context } from "./context";

/** The context of an action's handler. */
export interface ActionContext<Client> extends Context<Client> {
  /**
   * Tells the user what the action is doing. Secrets that the provider has received are redacted. While
   * Terraform does not read, the kit keeps 100 messages, and counts the others.
   */
  readonly progress: (message: string) => void;
}

/** The handlers of a declared action. */
export interface ActionHandlers<D extends Declaration, Client> {
  /**
   * Checks, during the plan, what the declaration's rules cannot check. Values can be unknown. If it throws
   * an error, the error is shown and the plan fails.
   *
   * @default checks nothing
   */
  plan?(config: ConfigOf<D>, context: Context<Client>): void | Promise<void>;
  /** Runs the action. The configuration is known. */
  invoke(config: GivenOf<D>, context: ActionContext<Client>): Promise<void>;
}

/** An action with its handlers, without the types of its declaration. */
export interface ActionImplementation<Client> {
  readonly declaration: Declaration;
  readonly plan?: ((config: Values, context: Context<Client>) => void | Promise<void>) | undefined;
  readonly invoke: (config: Values, context: ActionContext<Client>) => Promise<void>;
}

/**
 * Combines a declared action with its handlers.
 *
 * @example implementAction(restart)<Client>({ async invoke(config, { client, progress }) { … } })
 */
export function implementAction<D extends Declaration>(declaration: D) {
  return <Client>(handlers: ActionHandlers<D, Client>): ActionImplementation<Client> =>
    // The kit decodes values by this declaration, from which the handlers' types are derived.
    ({ ...handlers, declaration }) as unknown as ActionImplementation<Client>;
}
