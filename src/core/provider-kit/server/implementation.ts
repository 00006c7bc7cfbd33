import type { Declaration, Identity } from "../../schema/declaration";
import type { IdentityOf, UnmatchedIdentity } from "../../schema/identity";
import type { ConfigOf, GivenOf, PlanOf, StateOf } from "../../schema/infer";
import type { PlanModificationOf } from "../../schema/plan-modification";
import type { Values } from "../../schema/resource-rule";
import { wireType } from "../../schema/wire-schema";
import type {
  ChangeContext,
  Context,
  OperationContext,
  PlanContext,
  ResourceContext,
  TimedContext,
} from "./context";
import { checkUpgrades, type StateMove, type StateUpgrade } from "./state-upgrade";

/** The values that a `plan` handler receives. */
export interface PlanDraft<D extends Declaration> {
  /** The configuration, as the user wrote it. */
  readonly config: ConfigOf<D>;
  /** The prior state; undefined for a creation. */
  readonly prior: StateOf<D> | undefined;
  /** The configuration, with defaults and values from the prior state filled in. */
  readonly drafted: ConfigOf<D>;
}

/** The values, at any depth, that a `plan` handler sets. */
export type PlanModification<D extends Declaration> = PlanModificationOf<D>;

/** The parts of an import ID, by their names in the declaration's `importId`. */
export type ImportParts = Readonly<Record<string, string>>;

/** The handlers that manage a declared resource. */
export interface ResourceHandlers<D extends Declaration, Client> extends IdentityHandlers<
  D,
  Client
> {
  /**
   * Sets the values that the provider already knows during the plan, and decides whether a change replaces
   * the resource. Called for creations and for changes, even if nothing has changed.
   *
   * @default sets nothing
   */
  plan?(
    draft: PlanDraft<D>,
    context: PlanContext<Client>,
  ): PlanModification<D> | Promise<PlanModification<D>>;
  /**
   * Sets values in a plan that is deferred by `plan` or by `configure`, so without a client. It can set the same values
   * as `plan`. If it throws a `Deferral`, the plan has that reason.
   *
   * @default a deferred plan has the values that follow from the declaration
   */
  planDeferred?(
    draft: PlanDraft<D>,
    context: Pick<PlanContext<Client>, "requireReplace">,
  ): PlanModification<D> | Promise<PlanModification<D>>;
  /**
   * Checks a planned destruction: it can warn, or throw a `ProviderError` to refuse it. `delete` receives the private
   * state that it writes.
   *
   * Terraform does not call it for a resource that is replaced, tainted or with `-replace`.
   *
   * @default every destruction is planned
   */
  planDestroy?(state: StateOf<D>, context: ResourceContext<Client>): void | Promise<void>;
  /** Creates the resource and returns its state. */
  create(
    plan: PlanOf<D>,
    context: ChangeContext<StateOf<D>, Client, GivenOf<D>>,
  ): Promise<StateOf<D>>;
  /** @returns the current state; undefined when the resource no longer exists */
  read(state: StateOf<D>, context: OperationContext<Client>): Promise<StateOf<D> | undefined>;
  /** Changes the resource in place and returns its new state. */
  update(
    plan: PlanOf<D>,
    state: StateOf<D>,
    context: ChangeContext<StateOf<D>, Client, GivenOf<D>>,
  ): Promise<StateOf<D>>;
  /** Deletes the resource. Succeeds if it no longer exists. */
  delete(state: StateOf<D>, context: OperationContext<Client>): Promise<void>;
  /**
   * Converts the parts of an import ID to the state that `read` needs.
   *
   * @default the parts, by their names
   */
  import?(parts: ImportParts, context: Context<Client>): Partial<StateOf<D>>;
  /**
   * Converts states of earlier schema versions to the declaration's version, each in one step.
   *
   * @default states of other versions are refused
   */
  readonly upgrades?: readonly StateUpgrade<StateOf<D>>[];
  /**
   * Converts states of other resource types to this one, for `moved` blocks.
   *
   * @default moves from other types are refused
   */
  readonly moves?: readonly StateMove<StateOf<D>>[];
}

/** The handler that reads a declared data source. */
export interface DataSourceHandlers<D extends Declaration, Client> {
  /**
   * Checks what the declaration's rules cannot check, when Terraform validates the configuration. Values can
   * be unknown. If it throws an error, the error is shown.
   *
   * @default checks nothing
   */
  validate?(config: ConfigOf<D>): void | Promise<void>;
  /** Reads the data source and returns its state. The configuration is known. */
  read(config: PlanOf<D>, context: TimedContext<Client>): Promise<StateOf<D>>;
}

/** A resource with its handlers, without the types of its declaration. */
export interface ResourceImplementation<Client> extends IdentityImplementation<Client> {
  readonly declaration: Declaration;
  readonly plan?:
    | ((
        draft: { config: Values; prior: Values | undefined; drafted: Values },
        context: PlanContext<Client>,
      ) => Values | Promise<Values>)
    | undefined;
  readonly planDeferred?:
    | ((
        draft: { config: Values; prior: Values | undefined; drafted: Values },
        context: Pick<PlanContext<Client>, "requireReplace">,
      ) => Values | Promise<Values>)
    | undefined;
  readonly planDestroy?:
    ((state: Values, context: ResourceContext<Client>) => void | Promise<void>) | undefined;
  readonly create: (plan: Values, context: ChangeContext<Values, Client>) => Promise<Values>;
  readonly read: (state: Values, context: OperationContext<Client>) => Promise<Values | undefined>;
  readonly update: (
    plan: Values,
    state: Values,
    context: ChangeContext<Values, Client>,
  ) => Promise<Values>;
  readonly delete: (state: Values, context: OperationContext<Client>) => Promise<void>;
  readonly import?: ((parts: ImportParts, context: Context<Client>) => Values) | undefined;
  readonly upgrades?: readonly StateUpgrade<Values>[] | undefined;
  readonly moves?: readonly StateMove<Values>[] | undefined;
}

/** A data source with its handler, without the types of its declaration. */
export interface DataSourceImplementation<Client> {
  readonly declaration: Declaration;
  readonly validate?: ((config: Values) => void | Promise<void>) | undefined;
  readonly read: (config: Values, context: TimedContext<Client>) => Promise<Values>;
}

/**
 * Combines a declared resource with its handlers.
 *
 * @example implement(endpoint)<Client>({ create, read, update, delete: remove })
 * @throws Error when two upgrades convert from the same version, or one from the current or a later version, or
 * when nothing provides a value of the identity
 */
export function implement<D extends Declaration>(declaration: D) {
  return <Client>(
    handlers: ResourceHandlers<D, Client> & RequiredIdentityHandlers<D, Client>,
  ): ResourceImplementation<Client> => {
    checkUpgrades(declaration, handlers.upgrades ?? []);
    checkIdentityHandlers(declaration, handlers);
    // The kit decodes values by this declaration, from which the handlers' types are derived.
    return { ...handlers, declaration } as unknown as ResourceImplementation<Client>;
  };
}

/** Combines a declared data source with its handler, as {@link implement} does for a resource. */
export function implementDataSource<D extends Declaration>(declaration: D) {
  return <Client>(handlers: DataSourceHandlers<D, Client>): DataSourceImplementation<Client> =>
    ({ ...handlers, declaration }) as unknown as DataSourceImplementation<Client>;
}

/** The optional handlers of a resource with an identity. */
export interface IdentityHandlers<D extends Declaration, Client> {
  /**
   * Returns the identity of an existing resource.
   *
   * @default the attributes of the same names
   */
  identity?(state: StateOf<D>, context: Context<Client>): IdentityOf<D>;
  /**
   * Converts an identity, for `import { identity = { … } }`, to the state that `read` needs. Values that are
   * optional for an import may be null.
   *
   * @default the attributes of the same names
   */
  importByIdentity?(identity: IdentityOf<D>, context: Context<Client>): Partial<StateOf<D>>;
  /**
   * Converts identities of earlier versions to the declared version. Use `upgradeFromJson`.
   *
   * @default an identity of an earlier version is dropped, and the next read provides a new one
   */
  readonly identityUpgrades?: readonly StateUpgrade<IdentityOf<D>>[];
}

/** The handlers that an identity requires, because the resource has no attributes of the same names. */
export type RequiredIdentityHandlers<D extends Declaration, Client> = [
  UnmatchedIdentity<D>,
] extends [never]
  ? unknown
  : Required<Pick<IdentityHandlers<D, Client>, "identity" | "importByIdentity">>;

/** {@link IdentityHandlers} without the types of the declaration. */
interface IdentityImplementation<Client> {
  readonly identity?: ((state: Values, context: Context<Client>) => Values) | undefined;
  readonly importByIdentity?: ((identity: Values, context: Context<Client>) => Values) | undefined;
  readonly identityUpgrades?: readonly StateUpgrade<Values>[] | undefined;
}

/**
 * @throws Error when a value of the identity has neither a handler nor an attribute of the same name and type,
 * or when two upgrades convert from the same version
 */
function checkIdentityHandlers(
  { type, attributes, identity }: Declaration,
  handlers: {
    readonly identity?: unknown;
    readonly importByIdentity?: unknown;
    readonly identityUpgrades?: readonly StateUpgrade<unknown>[];
  },
): void {
  if (identity === undefined) return;
  checkUpgrades(identity, handlers.identityUpgrades ?? []);
  if (handlers.identity !== undefined && handlers.importByIdentity !== undefined) return;
  const unmatched = Object.keys(identity.attributes).find(
    (name) => wireTypeOf(name, identity.attributes) !== wireTypeOf(name, attributes),
  );
  if (unmatched === undefined) return;
  throw new Error(
    `${type}: no attribute has the name and type of "${unmatched}" in the identity, ` +
      "so the handlers `identity` and `importByIdentity` must provide its value",
  );
}

function wireTypeOf(name: string, attributes: Identity["attributes"]): string | undefined {
  const attribute = attributes[name];
  return attribute && JSON.stringify(wireType(attribute.type));
}
