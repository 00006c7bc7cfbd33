import { createHash } from "node:crypto";
import type { ProviderCalls as CoreCalls } from "../../core/provider-kit/core";
import {
  createLogger,
  providerMethods as methods,
  type ProviderRoutes,
  type Route,
} from "../../core/provider-kit/protocol";
import { withoutNetwork } from "./without-network";

/** Enough for about ten thousand resources. */
const maxAnswers = 20_000;

/** Answers expire, because they can also depend on the clock, or on a file that is not watched. */
const maxAgeMs = 60_000;

/** The answers of deterministic providers, so that a plan asks only about what has changed since the last one. */
export class RememberedAnswers<Answer> {
  readonly #answers = new Map<string, { readonly answer: Answer; readonly until: number }>();

  /** @param question everything on which the answer depends */
  async answer(question: readonly Uint8Array[], ask: () => Promise<Answer>): Promise<Answer> {
    const hash = createHash("sha256");
    for (const part of question) hash.update(`${part.length};`).update(part);
    const key = hash.digest("base64");
    const known = this.#answers.get(key);
    const now = performance.now();
    if (known !== undefined && now < known.until) return known.answer;
    const answer = await ask();
    if (this.#answers.size >= maxAnswers) this.forget();
    this.#answers.set(key, { answer, until: now + maxAgeMs });
    return answer;
  }

  forget(): void {
    this.#answers.clear();
  }
}

interface CallOptions {
  /** The answers of earlier plans. @default none */
  readonly answers?: ProviderAnswers | undefined;
  /**
   * Lets the provider use the network until this is aborted.
   *
   * @default the provider can open no connection, and start no process
   */
  readonly connected?: AbortSignal | undefined;
}

/** Set if the provider could not plan a change without the network. */
export interface NetworkNote {
  needsNetwork: boolean;
}

interface Answer {
  readonly response: unknown;
  readonly wasTried: boolean;
}

export type ProviderAnswers = RememberedAnswers<Answer>;

type MethodName = Exclude<keyof typeof methods, "listResource" | "invokeAction">;
type Request<Name extends keyof typeof methods> = Parameters<CoreCalls[Name]>[0];
type Response<Name extends keyof typeof methods> = ReturnType<
  (typeof methods)[Name]["response"]["decode"]
>;

interface Method {
  readonly path: string;
  readonly request: { encode(message: never): Uint8Array };
  readonly response: { decode(bytes: Uint8Array): unknown };
}

const never = new AbortController().signal;
const none = new Uint8Array();

export class ProviderCalls {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #options: CallOptions;
  #configuration: Uint8Array = none;

  private constructor(
    readonly source: string,
    routes: ReadonlyMap<string, Route>,
    options: CallOptions,
  ) {
    this.#routes = routes;
    this.#options = options;
  }

  static async start(
    source: string,
    routes: ProviderRoutes,
    options: CallOptions,
  ): Promise<ProviderCalls> {
    const name = source.slice(source.lastIndexOf("/") + 1);
    const logger = createLogger({ name, env: {} });
    const started = typeof routes === "function" ? await routes({ logger }) : routes;
    return new ProviderCalls(source, started, options);
  }

  /** @returns the response, and whether the provider tried to use the network without permission */
  async call<Name extends MethodName>(
    name: Name,
    request: Request<Name>,
  ): Promise<{ readonly response: Response<Name>; readonly wasTried: boolean }> {
    const { answers, connected } = this.#options;
    const method: Method = methods[name];
    const route = this.#routes.get(method.path);
    if (route?.kind !== "unary") throw new Error(`${this.source} does not implement ${name}`);
    const bytes = method.request.encode(request as never);
    const handle = () => route.handle(bytes, this.#context);
    const ask = async (): Promise<Answer> => {
      if (connected !== undefined) {
        return { response: method.response.decode(await handle()), wasTried: false };
      }
      const run = await withoutNetwork(handle);
      if ("error" in run) throw run.error;
      return { response: method.response.decode(run.result), wasTried: run.wasTried };
    };
    if (name === "configureProvider") this.#configuration = bytes;
    const isRemembered = name === "validateResourceConfig" || name === "planResourceChange";
    const question = [Buffer.from(this.source), Buffer.from(name), this.#configuration, bytes];
    const { response, wasTried } =
      answers !== undefined && isRemembered ? await answers.answer(question, ask) : await ask();
    // The method decodes the type that belongs to its name.
    return { response: response as Response<Name>, wasTried };
  }

  /**
   * A method for Terraform's core.
   *
   * @param note set if the provider tries to use the network without permission
   */
  method<Name extends MethodName>(name: Name, note?: NetworkNote) {
    return async (request: Request<Name>): Promise<Response<Name>> => {
      const { response, wasTried } = await this.call(name, request);
      if (note !== undefined && wasTried) note.needsNetwork = true;
      return response;
    };
  }

  /** Lists resources. The provider searches for the next one after `found` has returned. */
  async list(
    request: Request<"listResource">,
    found: (response: Response<"listResource">) => void,
  ): Promise<void> {
    const method = methods.listResource;
    const route = this.#routes.get(method.path);
    if (route?.kind !== "stream") throw new Error(`${this.source} does not list resources`);
    await route.handle({
      ...this.#context,
      messages: onlyMessage(method.request.encode(request)),
      send: (bytes) => {
        found(method.response.decode(bytes));
        return Promise.resolve();
      },
    });
  }

  get #context() {
    return { signal: this.#options.connected ?? never, onClosed: () => undefined };
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- a stream is asynchronous
async function* onlyMessage(message: Uint8Array): AsyncGenerator<Uint8Array> {
  yield message;
}
