import type { Declaration } from "../../schema/declaration";
import type { Path } from "../../schema/finding";
import type { ConfigOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import type { Logger } from "../records/logging";
import type { HandlerWarning } from "./diagnostic";

/**
 * Reads the `provider_meta` block of a module. The block is decoded and checked on each call.
 *
 * Terraform sends the block with plans, creations, changes and reads, also of data sources, but not with the
 * read and the deletion of a resource that is no longer configured.
 *
 * @param declaration the `providerMeta` of the provider
 * @returns undefined if there is no block, or if Terraform does not send it
 * @throws ProviderError when the values break a rule of the declaration
 */
export type ReadMeta = <D extends Declaration>(declaration: D) => ConfigOf<D> | undefined;

/** The context that every handler receives in addition to the values. */
export interface Context<Client> {
  /** The result of the provider's `configure`. */
  readonly client: Client;
  /**
   * Aborted when Terraform is interrupted. The operation should then end soon and report what it left behind.
   * The signal is created when it is first read, so a `plan` that rarely needs it should read it only then.
   */
  readonly signal: AbortSignal;
  /** Writes to Terraform's log, with secrets redacted. */
  readonly log: Logger;
  /** Reads the metadata of the module that contains the resource or data source. */
  readonly meta: ReadMeta;
  /** Shows a warning to the user, together with the result. */
  readonly warn: (warning: HandlerWarning) => void;
}

/** The context of the handlers of resources. */
export interface ResourceContext<Client> extends Context<Client> {
  /**
   * The data that the resource stores outside its state. What `plan` writes reaches the handler that carries the plan
   * out.
   */
  readonly privateState: PrivateState;
}

/** The context of `plan` handlers. */
export interface PlanContext<Client> extends ResourceContext<Client> {
  /**
   * What the first plan wrote to `privateState`. Terraform plans again when it applies a plan, and passes this on from
   * version 1.16 on. Empty in the first plan, and with an older Terraform.
   */
  readonly firstPlan: Pick<PrivateState, "get">;
  /**
   * Replaces the resource, instead of updating it, if the plan changes the value at this path, which has the
   * names of the declaration. A path into a set means the whole set.
   *
   * To replace a resource whose configuration has not changed, set a computed attribute to another value or
   * to `UNKNOWN`, and name its path.
   *
   * @throws Error when the declaration does not have the path
   */
  readonly requireReplace: (path: Path) => void;
}

/** The context of handlers that must end in time. */
export interface TimedContext<Client> extends Context<Client> {
  /**
   * The time at which the operation must have ended, in milliseconds since the epoch, from the
   * timeouts. The handler must enforce it.
   */
  readonly deadline: number;
}

/** The context of `read`, `create`, `update` and `delete` handlers of resources. */
export interface OperationContext<Client> extends ResourceContext<Client>, TimedContext<Client> {}

/** The context of `create` and `update` handlers. */
export interface ChangeContext<
  State extends Values,
  Client,
  Given extends Values = Values,
> extends OperationContext<Client> {
  /** The configuration, with the values of write-only attributes. Everything else is also in the plan. */
  readonly config: Given;
  /**
   * Records the current state of the resource.
   *
   * If the handler fails afterwards, the state consists of the planned values (after a failed update: the
   * prior values) and everything that was saved. That way, nothing that exists is lost.
   */
  readonly save: (state: Readonly<Partial<State>>) => void;
}

/**
 * The data that a resource stores outside its state, hidden from the user.
 *
 * Maps keys to strings. Terraform stores it unencrypted, like the state.
 */
export interface PrivateState {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** @returns true if the key was set */
  delete(key: string): boolean;
}
