import type { Declaration } from "../../schema/declaration";
import type { Path } from "../../schema/finding";
import type { ArgumentsOf, FunctionDeclaration, ResultOf } from "../../schema/function";
import type { IdentityOf } from "../../schema/identity";
import type { ConfigOf, GivenOf, PlanOf, StateOf } from "../../schema/infer";
import type { ListDeclaration } from "../../schema/list-resource";
import type { Values } from "../../schema/resource-rule";
import type { Context, ResourceContext, TimedContext } from "./context";

/** The context of an action's handler. */
export interface ActionContext<Client> extends Context<Client> {
  /**
   * Shows the user a progress message, in which secrets that the provider has received are redacted. While
   * Terraform is not reading, the kit keeps 100 messages and counts the others.
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

/** A function with its handler, without the types of its declaration. */
export interface FunctionImplementation {
  readonly declaration: FunctionDeclaration;
  readonly call: (values: Values) => unknown;
}

/**
 * Combines a declared function with its handler.
 *
 * The handler must return equal results for equal arguments and depend on nothing else: Terraform calls it in
 * every phase, even before the provider is configured. It throws a `FunctionError` when an argument is to
 * blame.
 *
 * @example implementFunction(shout)(({ text }) => text.toUpperCase())
 */
export function implementFunction<F extends FunctionDeclaration>(declaration: F) {
  return (
    call: (values: ArgumentsOf<F>) => ResultOf<F> | Promise<ResultOf<F>>,
  ): FunctionImplementation => ({
    declaration,
    // The kit decodes the arguments by this declaration, from which the handler's types are derived.
    call: call as unknown as FunctionImplementation["call"],
  });
}

/** The message that Terraform shows when a function fails. */
export interface FunctionErrorProps {
  /**
   * A clause, with the argument as its subject if there is a `path`: `must be an image reference`. Never
   * a secret: a function does not know which of its arguments are sensitive.
   */
  readonly message: string;
  /**
   * The argument to blame, in the declaration's names, and the place inside it: `["reference"]`; for
   * the second of several arguments `["parts", 1]`.
   *
   * @default the whole call
   */
  readonly path?: Path | undefined;
  /** The caught value, for logs. It is not shown. */
  readonly cause?: unknown;
}

/**
 * The error that a function throws when its arguments are to blame.
 *
 * Any other error is reported as a bug in the provider.
 */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
  readonly path: Path;

  constructor({ message, path = [], cause }: FunctionErrorProps) {
    super(message, cause === undefined ? undefined : { cause });
    this.path = path;
  }
}

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
