import type { Declaration } from "../../schema/declaration";
import type { Logger } from "../host/log/logging";
import type { CallContext } from "../wire/grpc/grpc-route";
import type { DiagnosticInit } from "../wire/tfplugin6/tfplugin6";
import { Compiled } from "./compiled";
import { warningDiagnostic } from "./diagnostic";
import type { Context } from "./context";
import type { DataSourceImplementation, ResourceImplementation } from "./implementation";
import type { ErasedProvider } from "./provider-definition";
import { ProviderError } from "./provider-error";
import { Secrets } from "./secrets";

/** The call that a context is made for. */
export interface CallParts {
  readonly compiled: Compiled;
  readonly context: CallContext;
  readonly warnings: DiagnosticInit[];
}

/** Everything that the calls of one provider process share. */
export class Session<Client> {
  readonly secrets = new Secrets();
  readonly log: Logger;
  readonly #stop = new AbortController();
  readonly #compiled = new Map<Declaration, Compiled>();
  readonly #resources: ReadonlyMap<string, ResourceImplementation<Client>>;
  readonly #dataSources: ReadonlyMap<string, DataSourceImplementation<Client>>;
  #client: { readonly value: Client } | undefined;

  constructor(
    readonly definition: ErasedProvider<Client>,
    readonly env: Readonly<Record<string, string | undefined>>,
    log: Logger,
  ) {
    const redact = (secret: string): void => {
      log.redact(secret);
      this.secrets.add(secret);
    };
    this.log = { ...log, redact };
    const { resources, dataSources = [] } = definition;
    this.#resources = new Map(resources.map((each) => [each.declaration.type, each]));
    this.#dataSources = new Map(dataSources.map((each) => [each.declaration.type, each]));
  }

  get resources(): Iterable<ResourceImplementation<Client>> {
    return this.#resources.values();
  }

  get dataSources(): Iterable<DataSourceImplementation<Client>> {
    return this.#dataSources.values();
  }

  /** @throws ProviderError when the provider has no such resource */
  resource(type: string): ResourceImplementation<Client> {
    return this.#resources.get(type) ?? this.#unknownType("resource", type);
  }

  /** @throws ProviderError when the provider has no such data source */
  dataSource(type: string): DataSourceImplementation<Client> {
    return this.#dataSources.get(type) ?? this.#unknownType("data source", type);
  }

  /** A declaration made ready for the wire, once. */
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

  /** Ends what is under way and all that comes: Terraform was interrupted. */
  stop(): void {
    this.#stop.abort();
  }

  /** Aborted by an interrupt of Terraform as well as by the end of the call. */
  signal(call: AbortSignal): AbortSignal {
    return AbortSignal.any([call, this.#stop.signal]);
  }

  /**
   * What a handler is given, together with what is `more`.
   *
   * @throws ProviderError when Terraform has not configured the provider
   */
  context<More extends object>(
    { compiled, context: call, warnings }: CallParts,
    more: More,
  ): Context<Client> & More {
    if (this.#client === undefined) {
      throw new ProviderError({
        summary: "Provider Not Configured",
        detail: "Terraform asked for an operation before it configured the provider.",
      });
    }
    let signal: AbortSignal | undefined;
    const makeSignal = (): AbortSignal => (signal ??= this.signal(call.signal));
    return {
      ...more,
      client: this.#client.value,
      log: this.log,
      warn: (warning) => void warnings.push(warningDiagnostic(compiled.type, warning)),
      // Few handlers look at it while planning, and it is not cheap to make.
      get signal() {
        return makeSignal();
      },
    };
  }

  #unknownType(kind: string, type: string): never {
    const { declaration } = this.definition;
    throw new ProviderError({
      summary: `Unknown ${kind === "resource" ? "Resource" : "Data Source"} Type`,
      detail: `The provider "${declaration.type}" has no ${kind} "${type}".`,
    });
  }
}
