import type { Declaration } from "../../schema/declaration";
import type { ConfigOf, PlanOf, StateOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import type { Unknown } from "../../schema/unknown";
import type { ChangeContext, Context, OperationContext, ResourceContext } from "./context";

/** What the `plan` handler looks at. */
export interface PlanDraft<D extends Declaration> {
  readonly config: ConfigOf<D>;
  /** The state; undefined while creating. */
  readonly prior: StateOf<D> | undefined;
  /** The configuration with defaults and what the state holds filled in. */
  readonly drafted: ConfigOf<D>;
}

/** Values that the `plan` handler decides: optional and computed, or computed ones, known or unknown. */
export type PlanModification<D extends Declaration> = Partial<{
  readonly [K in keyof StateOf<D>]: StateOf<D>[K] | Unknown;
}>;

/** The parts of an ID that was given to `terraform import`, by the names in `importId`. */
export type ImportParts = Readonly<Record<string, string>>;

/** How a declared resource is managed. */
export interface ResourceHandlers<D extends Declaration, Client> {
  /** Decides, while planning, what the provider can know already. @default nothing is decided */
  plan?(
    draft: PlanDraft<D>,
    context: ResourceContext<Client>,
  ): PlanModification<D> | Promise<PlanModification<D>>;
  create(plan: PlanOf<D>, context: ChangeContext<StateOf<D>, Client>): Promise<StateOf<D>>;
  /** @returns undefined when the resource does not exist any more */
  read(state: StateOf<D>, context: OperationContext<Client>): Promise<StateOf<D> | undefined>;
  update(
    plan: PlanOf<D>,
    state: StateOf<D>,
    context: ChangeContext<StateOf<D>, Client>,
  ): Promise<StateOf<D>>;
  delete(state: StateOf<D>, context: OperationContext<Client>): Promise<void>;
  /** Makes what `read` needs from an imported ID. @default the parts under their names */
  import?(parts: ImportParts, context: Context<Client>): Partial<StateOf<D>>;
}

/** How a declared data source is read. */
export interface DataSourceHandlers<D extends Declaration, Client> {
  read(config: PlanOf<D>, context: Context<Client>): Promise<StateOf<D>>;
}

/** Handlers whose declaration's types are erased, as the calls of the protocol need them. */
export interface ResourceImplementation<Client> {
  readonly declaration: Declaration;
  readonly plan?:
    | ((
        draft: { config: Values; prior: Values | undefined; drafted: Values },
        context: ResourceContext<Client>,
      ) => Values | Promise<Values>)
    | undefined;
  readonly create: (plan: Values, context: ChangeContext<Values, Client>) => Promise<Values>;
  readonly read: (state: Values, context: OperationContext<Client>) => Promise<Values | undefined>;
  readonly update: (
    plan: Values,
    state: Values,
    context: ChangeContext<Values, Client>,
  ) => Promise<Values>;
  readonly delete: (state: Values, context: OperationContext<Client>) => Promise<void>;
  readonly import?: ((parts: ImportParts, context: Context<Client>) => Values) | undefined;
}

/** As {@link ResourceImplementation}, for a data source. */
export interface DataSourceImplementation<Client> {
  readonly declaration: Declaration;
  readonly read: (config: Values, context: Context<Client>) => Promise<Values>;
}

/**
 * Joins a declared resource with its handlers.
 *
 * @example implement(endpoint)<Client>({ create, read, update, delete: remove })
 */
export function implement<D extends Declaration>(declaration: D) {
  return <Client>(handlers: ResourceHandlers<D, Client>): ResourceImplementation<Client> =>
    // The kit decodes values by this very declaration, which is what the handlers' types say.
    ({ ...handlers, declaration }) as unknown as ResourceImplementation<Client>;
}

/** Joins a declared data source with its handler, as {@link implement} does for a resource. */
export function implementDataSource<D extends Declaration>(declaration: D) {
  return <Client>(handlers: DataSourceHandlers<D, Client>): DataSourceImplementation<Client> =>
    ({ ...handlers, declaration }) as unknown as DataSourceImplementation<Client>;
}
