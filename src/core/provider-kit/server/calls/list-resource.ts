import type { ResponseInitOf, RequestOf } from "../../wire/tfplugin6/tfplugin6";
import type { CallContext } from "../../wire/grpc/grpc-route";
import { bugDiagnostic, errorDiagnostic } from "../diagnostic";
import type { ListedValues } from "../capabilities";
import { ProviderError } from "../provider-error";
import type { Session } from "../session";
import { knownState } from "./call";
import type { DiagnosticInit } from "../../wire/tfplugin6/tfplugin6-value";

/**
 * Lists the resources of one type. Each result is sent before the next one is requested, so that memory does not
 * grow with their number.
 */
export async function* listResource<Client>(
  session: Session<Client>,
  request: RequestOf<"listResource">,
  context: CallContext,
): AsyncGenerator<ResponseInitOf<"listResource">, void, void> {
  const warnings: DiagnosticInit[] = [];
  const censored = (diagnostics: readonly DiagnosticInit[]) =>
    [...warnings.splice(0), ...diagnostics].map(session.secrets.censor);
  try {
    const list = new List(session, request);
    for await (const found of list.results(context, warnings)) {
      const { diagnostics, ...event } = list.event(found);
      yield { ...event, diagnostic: censored(diagnostics) };
    }
    if (warnings.length > 0) yield { diagnostic: censored([]) };
  } catch (error) {
    yield { diagnostic: censored([errorDiagnostic(error)]) };
  }
}

class List<Client> {
  readonly #session: Session<Client>;
  readonly #request: RequestOf<"listResource">;
  readonly #limit: number | undefined;

  constructor(session: Session<Client>, request: RequestOf<"listResource">) {
    this.#session = session;
    this.#request = request;
    this.#limit = request.limit > 0 ? request.limit : undefined;
  }

  /** The results of the handler, up to the limit. */
  async *results(call: CallContext, warnings: DiagnosticInit[]): AsyncGenerator<ListedValues> {
    const { typeName, config, includeResourceObject: includeResource } = this.#request;
    const { declaration, list } = this.#session.listResource(typeName);
    const compiled = this.#session.compiled(declaration);
    const limit = this.#limit;
    const context = this.#session.context(
      { compiled, context: call, warnings },
      { limit, includeResource },
    );
    let count = 0;
    try {
      for await (const found of untilAborted(
        list(compiled.decodeConfig(config), context),
        context.signal,
      )) {
        yield found;
        count += 1;
        if (count === limit) return;
      }
    } catch (error) {
      throw context.signal.aborted ? interrupted(error) : error;
    }
  }

  event({ displayName, identity, state }: ListedValues) {
    const { typeName, includeResourceObject } = this.#request;
    const { resource } = this.#session.listResource(typeName).declaration;
    const diagnostics: DiagnosticInit[] = [];
    const identities = this.#session.compiled(resource.identity ?? resource);
    const event = {
      // Terraform prints it unchanged.
      displayName: this.#session.secrets.censorText(displayName),
      identity: { identityData: identities.encode(identity) },
    };
    if (!includeResourceObject) return { ...event, diagnostics };
    if (state === undefined) {
      const what = `The provider listed a ${typeName} without the state that Terraform requested.`;
      return { ...event, diagnostics: [bugDiagnostic("Missing Resource State", what)] };
    }
    const compiled = this.#session.compiled(resource);
    const { values, diagnostics: found } = knownState(compiled, state);
    return { ...event, resourceObject: compiled.encode(values), diagnostics: found };
  }
}

const interrupted = (cause: unknown): ProviderError =>
  new ProviderError({
    summary: "List Interrupted",
    detail: "The list is incomplete because Terraform was interrupted.",
    cause,
  });

/**
 * Yields the values of an iterable until a signal is aborted. Does not wait for an iterable that ignores the
 * signal.
 *
 * @throws the signal's reason, even if the iterable ends because of the signal
 */
async function* untilAborted<T>(
  values: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await nextOf(iterator, signal);
      signal.throwIfAborted();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const ended = Promise.resolve(iterator.return?.());
    if (signal.aborted) ended.catch(() => undefined);
    else await ended;
  }
}

function nextOf<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    iterator
      .next()
      .finally(() => {
        signal.removeEventListener("abort", abort);
      })
      .then(resolve, reject);
  });
}
