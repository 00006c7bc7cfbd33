import type { Declaration } from "../../schema/declaration";
import type { ConfigOf } from "../../schema/infer";
import type { Values } from "../../schema/resource-rule";
import type { Environment, Logger } from "../records/logging";
import type {
  ActionImplementation,
  EphemeralResourceImplementation,
  FunctionImplementation,
  ListResourceImplementation,
} from "./capabilities";
import type { DataSourceImplementation, ResourceImplementation } from "./implementation";

/** The arguments of `configure` besides the configuration. */
export interface ConfigureContext {
  /** The environment variables of the provider's process. */
  readonly env: Environment;
  /** Writes to Terraform's log, with secrets redacted. */
  readonly log: Logger;
  /** The version of Terraform or OpenTofu that runs the provider. */
  readonly terraformVersion: string;
  /** Aborted when Terraform is interrupted. */
  readonly signal: AbortSignal;
}

/** The resources, data sources and functions of a provider. */
interface ProviderOffer<Client> {
  readonly resources: readonly ResourceImplementation<Client>[];
  readonly dataSources?: readonly DataSourceImplementation<Client>[] | undefined;
  readonly ephemeralResources?: readonly EphemeralResourceImplementation<Client>[] | undefined;
  readonly listResources?: readonly ListResourceImplementation<Client>[] | undefined;
  readonly actions?: readonly ActionImplementation<Client>[] | undefined;
  readonly functions?: readonly FunctionImplementation[] | undefined;
  /** The metadata that modules can send to the provider, for `context.meta`. @default none */
  readonly providerMeta?: Declaration | undefined;
}

/** A provider: its settings, resources, data sources and functions. */
export interface ProviderDefinition<D extends Declaration, Client> extends ProviderOffer<Client> {
  readonly declaration: D;
  /**
   * Creates the client that all handlers receive as `context.client`.
   *
   * During a plan, settings can be unknown. `configure` must then succeed; only operations that need the
   * setting may fail.
   */
  configure(config: ConfigOf<D>, context: ConfigureContext): Client | Promise<Client>;
}

/** A {@link ProviderDefinition} without the types of its settings. */
export interface ErasedProvider<Client> extends ProviderOffer<Client> {
  readonly declaration: Declaration;
  configure(config: Values, context: ConfigureContext): Client | Promise<Client>;
}

/** @throws Error when two declarations of one kind have the same type, or two functions the same name */
export function checkTypes<Client>(definition: ErasedProvider<Client>): void {
  const { resources, dataSources, ephemeralResources, listResources, actions } = definition;
  const typed = { resources, dataSources, ephemeralResources, listResources, actions };
  const types = Object.entries(typed).map(
    ([kind, all = []]) => [kind, all.map(({ declaration }) => declaration.type)] as const,
  );
  const names = (definition.functions ?? []).map(({ declaration }) => declaration.name);
  for (const [kind, all] of [...types, ["functions", names] as const]) {
    const twice = all.find((each, index) => all.indexOf(each) < index);
    if (twice === undefined) continue;
    throw new Error(
      `the provider "${definition.declaration.type}" has two declarations of "${twice}" in \`${kind}\``,
    );
  }
}
