import type { Declaration } from "../../schema/declaration";
import type { PlanOf, StateOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import type { ResourceContext, TimedContext } from "./context";

/**
 * The context of the handlers of an ephemeral resource.
 *
 * `privateState` is in Terraform's memory only. Each `renew` receives the data of the previous one, but
 * `close` receives the data of `open` (seen in Terraform 1.11.4).
 */
export interface EphemeralContext<Client> extends ResourceContext<Client> {
  /**
   * Asks Terraform to call `renew` at this time, if the values are still in use. Without it, the values
   * are valid until `close`.
   */
  readonly renewAt: (time: Date) => void;
}

/** The handlers of a declared ephemeral resource. */
export interface EphemeralHandlers<D extends Declaration, Client> {
  /**
   * Provides the values, which Terraform keeps in memory only. The configuration is known.
   *
   * It is called in each phase that needs the values: during the plan, and again during the apply.
   */
  open(
    config: PlanOf<D>,
    context: EphemeralContext<Client> & TimedContext<Client>,
  ): Promise<StateOf<D>>;
  /**
   * Extends the time for which the values are valid. The values themselves cannot change.
   *
   * @default nothing to renew; `open` must not call `renewAt`
   */
  renew?(context: EphemeralContext<Client>): Promise<void>;
  /**
   * Ends the use of the values, for example by revoking a token. Called once for each successful `open`.
   *
   * @default nothing to close
   */
  close?(context: ResourceContext<Client>): Promise<void>;
}

/** An ephemeral resource with its handlers, without the types of its declaration. */
export interface EphemeralResourceImplementation<Client> {
  readonly declaration: Declaration;
  readonly open: (
    config: Values,
    context: EphemeralContext<Client> & TimedContext<Client>,
  ) => Promise<Values>;
  readonly renew?: ((context: EphemeralContext<Client>) => Promise<void>) | undefined;
  readonly close?: ((context: ResourceContext<Client>) => Promise<void>) | undefined;
}

/**
 * Combines a declared ephemeral resource with its handlers.
 *
 * @example implementEphemeralResource(token)<Client>({ open, renew, close })
 */
export function implementEphemeralResource<D extends Declaration>(declaration: D) {
  return <Client>(
    handlers: EphemeralHandlers<D, Client>,
  ): EphemeralResourceImplementation<Client> =>
    // The kit decodes values by this declaration, from which the handlers' types are derived.
    ({ ...handlers, declaration }) as unknown as EphemeralResourceImplementation<Client>;
}
