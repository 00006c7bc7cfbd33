import type { Declaration } from "../../schema/declaration";
import type { IdentityOf } from "../../schema/identity";
import type { GivenOf, StateOf } from "../../schema/infer";
import type { ListDeclaration } from "../../schema/list-resource";
import type { Values } from "../../schema/resource-rule";
import type { Context } from "./context";

/** An existing resource. */
export interface ListedResource<R extends Declaration> {
  /** The name by which people recognise the resource. Terraform shows it. */
  readonly displayName: string;
  readonly identity: IdentityOf<R>;
  /** Required if `context.includeResource` is true. Otherwise it is not sent. */
  readonly state?: StateOf<R> | undefined;
}

/** The context of the handler of a list. */
export interface ListContext<Client> extends Context<Client> {
  /** The greatest number of results. The kit stops after it. @default any number */
  readonly limit: number | undefined;
  /** True if each result must contain the state. */
  readonly includeResource: boolean;
}

/** The handler of a declared list. */
export interface ListHandlers<L extends ListDeclaration, Client> {
  /**
   * Yields the existing resources one by one, for example with an `async` generator that requests a page at a
   * time. The kit asks for the next resource when Terraform has received the last one, and stops at the limit
   * and at an interrupt.
   */
  list(
    config: GivenOf<L>,
    context: ListContext<Client>,
  ): AsyncIterable<ListedResource<L["resource"]>>;
}

/** A list with its handler, without the types of its declaration. */
export interface ListResourceImplementation<Client> {
  readonly declaration: ListDeclaration;
  readonly list: (config: Values, context: ListContext<Client>) => AsyncIterable<ListedValues>;
}

/** A {@link ListedResource} without its types. */
export interface ListedValues {
  readonly displayName: string;
  readonly identity: Values;
  readonly state?: Values | undefined;
}

/**
 * Combines a declared list with its handler.
 *
 * @example implementListResource(endpoints)<Client>({ async *list(config, { client }) { … } })
 */
export function implementListResource<L extends ListDeclaration>(declaration: L) {
  return <Client>(handlers: ListHandlers<L, Client>): ListResourceImplementation<Client> =>
    // The kit decodes values by this declaration, from which the handler's types are derived.
    ({ ...handlers, declaration }) as unknown as ListResourceImplementation<Client>;
}
