import type { Declaration } from "../../schema/declaration";
import type { Environment, Logger } from "../records/logging";
import type { CallContext } from "../wire/grpc/grpc-route";
import { Compiled } from "./compiled";
import { warningDiagnostic } from "./diagnostic";
import type { Context } from "./context";
import { type Deferral, ProviderError } from "./provider-error";
import type {
  EphemeralResourceImplementation,
  ActionImplementation,
  FunctionImplementation,
  ListResourceImplementation,
} from "./capabilities";
import type { DataSourceImplementation, ResourceImplementation } from "./implementation";
import type { ErasedProvider } from "./provider-definition";
import { Secrets } from "./secrets";
import type { ConfigOf } from "../../schema/infer";
import type { DiagnosticInit, DynamicValue } from "../wire/tfplugin6/tfplugin6-value";

/** The parts of a call from which a handler's context is created. */
export interface CallParts {
  readonly compiled: Compiled;
  readonly context: CallContext;
  readonly warnings: DiagnosticInit[];
  /** The metadata of the module. @default the call has no such value */
  readonly meta?: DynamicValue | undefined;
}

/** The state that the calls of one provider process share. */
export class Session<Client> {
  readonly secrets = new Secrets();
  readonly log: Logger;
  readonly #stop = new AbortController();
  readonly #compiled = new Map<Declaration, Compiled>();
  #client: { readonly value: Client } | undefined;
  /** Why everything is deferred; undefined if nothing is. */
  #deferral: Deferral | undefined;

  constructor(
    readonly definition: ErasedProvider<Client>,
    readonly env: Environment,
    log: Logger,
  ) {
    const redact = (secret: string): void => {
      log.redact(secret);
      this.secrets.add(secret);
    };
    this.log = { ...log, redact };
  }

  /** @throws ProviderError when the provider has no such resource, as for each of the following kinds */
  resource(type: string): ResourceImplementation<Client> {
    return this.#find("resource", this.definition.resources, type);
  }

  dataSource(type: string): DataSourceImplementation<Client> {
    return this.#find("data source", this.definition.dataSources, type);
  }

  ephemeralResource(type: string): EphemeralResourceImplementation<Client> {
    return this.#find("ephemeral resource", this.definition.ephemeralResources, type);
  }

  listResource(type: string): ListResourceImplementation<Client> {
    return this.#find("list resource", this.definition.listResources, type);
  }

  action(type: string): ActionImplementation<Client> {
    return this.#find("action", this.definition.actions, type);
  }

  function(name: string): FunctionImplementation {
    const found = this.definition.functions?.find(({ declaration }) => declaration.name === name);
    return found ?? this.#unknown("function", name);
  }

  /** Returns the compiled declaration. Compiles it on first use. */
  compiled(declaration: Declaration): Compiled {
    let compiled = this.#compiled.get(declaration);
    if (compiled === undefined) {
      compiled = new Compiled(declaration, this.secrets);
      this.#compiled.set(declaration, compiled);
    }
    return compiled;
  }

  configured(client: Client): void {
    this.#client = { value: client };
  }

  /** Defers everything that needs the client, because `configure` cannot create it yet. */
  defer(deferral: Deferral): void {
    this.#deferral = deferral;
  }

  /** @throws Deferral when everything is deferred */
  throwIfDeferred(): void {
    if (this.#deferral !== undefined) throw this.#deferral;
  }

  /** Aborts all running and future operations, because Terraform was interrupted. */
  stop(): void {
    this.#stop.abort();
  }

  /** Returns a signal that is aborted when Terraform is interrupted, or when the call is cancelled. */
  signal(call: AbortSignal): AbortSignal {
    return AbortSignal.any([call, this.#stop.signal]);
  }

  /**
   * Creates a handler's context, extended by `more`.
   *
   * @throws ProviderError when Terraform has not configured the provider
   * @throws Deferral when everything is deferred
   */
  context<More extends object>(
    { compiled, context: call, warnings, meta }: CallParts,
    more: More,
  ): Context<Client> & More {
    if (this.#client === undefined) {
      this.throwIfDeferred();
      throw new ProviderError({
        summary: "Provider Not Configured",
        detail: "Terraform requested an operation before it configured the provider.",
      });
    }
    let signal: AbortSignal | undefined;
    const createSignal = (): AbortSignal => (signal ??= this.signal(call.signal));
    return {
      ...more,
      client: this.#client.value,
      log: this.log,
      meta: (declaration) => moduleMeta(this, declaration, meta),
      warn: (warning) => void warnings.push(warningDiagnostic(compiled.type, warning)),
      // Created on first use: it is expensive, and few handlers need it during a plan.
      get signal() {
        return createSignal();
      },
    };
  }

  #find<Implementation extends { readonly declaration: Declaration }>(
    kind: keyof typeof unknownKinds,
    all: readonly Implementation[] = [],
    type: string,
  ): Implementation {
    return all.find(({ declaration }) => declaration.type === type) ?? this.#unknown(kind, type);
  }

  #unknown(kind: keyof typeof unknownKinds, name: string): never {
    throw new ProviderError({
      summary: unknownKinds[kind],
      detail: `The provider "${this.definition.declaration.type}" has no ${kind} "${name}".`,
    });
  }
}

const unknownKinds = {
  resource: "Unknown Resource Type",
  "data source": "Unknown Data Source Type",
  "ephemeral resource": "Unknown Ephemeral Resource Type",
  "list resource": "Unknown List Resource Type",
  action: "Unknown Action Type",
  function: "Unknown Function",
} as const;

/**
 * Decodes and checks the metadata of a module. Terraform checks only the types.
 *
 * @param sent undefined in a call that has no such value
 * @returns undefined if the module has no metadata
 * @throws ProviderError when a value breaks a rule
 * @throws Error when the declaration is not the provider's
 */
function moduleMeta<D extends Declaration, Client>(
  session: Session<Client>,
  declaration: D,
  sent: DynamicValue | undefined,
): ConfigOf<D> | undefined {
  if (declaration !== session.definition.providerMeta) {
    throw new Error(
      "context.meta takes only the declaration that the provider has as providerMeta",
    );
  }
  const compiled = session.compiled(declaration);
  if (sent === undefined || compiled.isNull(sent)) return undefined;
  const meta = compiled.decodeConfig(sent);
  const problems = compiled.validate(meta).filter(({ severity }) => severity === "ERROR");
  if (problems.length > 0) {
    throw new ProviderError({
      summary: "Invalid Provider Meta",
      detail: `The provider_meta block "${declaration.type}" of the module is invalid.\n\n${problems
        .map(({ detail }) => detail)
        .join("\n\n")}`,
    });
  }
  // The values were decoded by the declaration, from which their type is derived.
  return meta as ConfigOf<D>;
}
