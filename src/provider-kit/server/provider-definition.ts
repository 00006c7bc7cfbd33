import type { Declaration } from "../../schema/declaration";
import type { ConfigOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import type { Logger } from "../host/log/logging";
import type { DataSourceImplementation, ResourceImplementation } from "./implementation";

/** What `configure` is given beside the configuration. */
export interface ConfigureContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** The version of Terraform or OpenTofu that runs the provider. */
  readonly terraformVersion: string;
  readonly signal: AbortSignal;
}

/** A provider: its settings, and all that it manages and reads. */
export interface ProviderDefinition<D extends Declaration, Client> {
  readonly declaration: D;
  /**
   * Makes what the handlers work with.
   *
   * While planning a setting may be unknown; only what needs it may fail then, not the configuration.
   */
  configure(config: ConfigOf<D>, context: ConfigureContext): Client | Promise<Client>;
  readonly resources: readonly ResourceImplementation<Client>[];
  readonly dataSources?: readonly DataSourceImplementation<Client>[] | undefined;
}

/** Any {@link ProviderDefinition}: the types of its settings are erased, as the calls need it. */
export interface ErasedProvider<Client> {
  readonly declaration: Declaration;
  configure(config: Values, context: ConfigureContext): Client | Promise<Client>;
  readonly resources: readonly ResourceImplementation<Client>[];
  readonly dataSources?: readonly DataSourceImplementation<Client>[] | undefined;
}
