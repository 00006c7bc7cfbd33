import type { Path } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import type { Logger } from "../host/log/logging";
import type { PrivateState } from "./private-state";

/** What every handler is given beside the values. */
export interface Context<Client> {
  /** What the provider's `configure` made. */
  readonly client: Client;
  /** Aborted when Terraform is interrupted; an operation then ends soon and says what it left. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Shows a warning together with the result. */
  readonly warn: (warning: { summary: string; detail: string; path?: Path | undefined }) => void;
}

/** What handlers of resources are given. */
export interface ResourceContext<Client> extends Context<Client> {
  readonly privateState: PrivateState;
}

/** What handlers that read, create, update or delete are given. */
export interface OperationContext<Client> extends ResourceContext<Client> {
  /**
   * Milliseconds since 1970 at which the operation must have ended, by the resource's time-outs;
   * keeping it is the handler's part.
   */
  readonly deadline: number;
}

/** What handlers that create or update are given. */
export interface ChangeContext<State extends Values, Client> extends OperationContext<Client> {
  /**
   * Notes what exists by now.
   *
   * Should the handler fail afterwards, the state is what was planned (after a failed update: what it
   * was) with all that was noted, so that nothing which exists is forgotten.
   */
  readonly save: (state: Readonly<Partial<State>>) => void;
}
