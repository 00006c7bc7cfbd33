import type { CallContext } from "../../../http/call-context";
import type {
  HttpResponse,
  HttpClient,
  OutgoingRequest,
  StreamedResponse,
} from "../../../http/client";
import type { RedirectPolicy } from "../../../http/redirect";
import type { RetryPolicy } from "../../../http/retry";
import { renewedValue, type RenewedValue } from "../../../http/renewed-value";
import { secretsIn } from "../../../http/request-label";
import type { Repository } from "../reference/image-name";
import type { Access, Authorization } from "./authorization";
import { connect, type Connection, parseChallenge } from "./connection";
import { refusalError, registryRetry, transportError } from "./registry-error";

export interface RegistryRequest {
  readonly repository: Repository;
  readonly method: OutgoingRequest["method"];
  /** Path under `/v2/<repository>/`, or the full URL that the registry returned for an upload. */
  readonly path: string | URL;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: OutgoingRequest["body"];
  /** @default "pull" for GET and HEAD, "pull,push" for other methods */
  readonly actions?: "delete,pull,push" | undefined;
  /** Another repository of the same registry that is read. */
  readonly alsoReads?: Repository | undefined;
  readonly context: CallContext;
  /** The statuses that the caller handles. A response with any other status is thrown as a refusal. */
  readonly expected: readonly (number | "2xx")[];
  /** @default 65536 */
  readonly maxBytes?: number | undefined;
  /** @default "return" */
  readonly redirects?: RedirectPolicy | undefined;
  /** @default registryRetry */
  readonly retry?: RetryPolicy | undefined;
}

interface RegistryCallSettings {
  readonly http: HttpClient;
  readonly authorization: Authorization;
  readonly plainHttpRegistries: readonly string[];
  /** Further strings to redact from messages, such as the password that a token was requested with. */
  readonly secrets: Iterable<string>;
}

/** Sends requests to registries, with authentication. Throws only `RegistryError`. */
export class RegistryCalls {
  readonly #settings: RegistryCallSettings;
  readonly #connections = new Map<string, RenewedValue<Connection, CallContext>>();

  constructor(settings: RegistryCallSettings) {
    this.#settings = settings;
  }

  async request(request: RegistryRequest): Promise<HttpResponse> {
    const { http } = this.#settings;
    const { answer, refusal } = await this.#send(request, (outgoing) => http.request(outgoing));
    if (isExpected(answer.status, request)) return answer;
    throw refusal(answer.body);
  }

  async open(request: RegistryRequest): Promise<StreamedResponse> {
    const { http } = this.#settings;
    const { answer, refusal } = await this.#send(request, (outgoing) => http.open(outgoing));
    const body = withRegistryErrors(answer.body);
    if (isExpected(answer.status, request)) return { ...answer, body };
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    throw refusal(Buffer.concat(chunks));
  }

  async #send<T extends Omit<HttpResponse, "body">>(
    request: RegistryRequest,
    run: (outgoing: OutgoingRequest) => Promise<T>,
  ) {
    const { authorization, secrets } = this.#settings;
    const { context, repository, method } = request;
    const connection = await this.#connection(repository.registry, context);
    const url = urlOf(request, connection);
    // An upload may go to another host, but the credentials are only for the registry.
    const isOurs = url.origin === connection.origin.origin;
    const access = accessOf(request);
    let header = isOurs ? await authorization.header(connection, access, context) : undefined;
    for (let number = 1; ; number++) {
      const headers = {
        ...request.headers,
        ...(header === undefined ? {} : { authorization: header }),
      };
      const answer = await run(outgoingOf(request, url, headers)).catch((failure: unknown) => {
        throw transportError(failure);
      });
      // The target of a redirect must not request the credentials, or choose the token service.
      const isAsked = answer.status === 401 && answer.url.origin === connection.origin.origin;
      const challenge = isAsked ? parseChallenge(answer.headers["www-authenticate"]) : undefined;
      if (number === 1 && isOurs && challenge !== undefined) {
        connection.challenge = challenge;
        const fresh = await authorization.header(connection, access, context, header);
        if (fresh !== undefined && fresh !== header) {
          header = fresh;
          continue;
        }
      }
      const { status, url: answeredBy, headers: answered, attempts } = answer;
      const refused = {
        method,
        url,
        answeredBy,
        status,
        headers: answered,
        attempts,
        secrets: [...secretsIn(headers), ...secrets],
      };
      return { answer, refusal: (body: Uint8Array) => refusalError({ ...refused, body }) };
    }
  }

  #connection(registry: string, context: CallContext): Promise<Connection> {
    const connection =
      this.#connections.get(registry) ??
      renewedValue<Connection, CallContext>({
        renew: (caller) => connect(registry, caller, this.#settings),
        expiresAt: () => Infinity,
        now: Date.now,
      });
    this.#connections.set(registry, connection);
    return connection(context);
  }
}

async function* withRegistryErrors(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (failure) {
    throw transportError(failure);
  }
}

function isExpected(status: number, { expected }: RegistryRequest): boolean {
  const isSuccess = status >= 200 && status < 300;
  return expected.includes(status) || (isSuccess && expected.includes("2xx"));
}

function outgoingOf(request: RegistryRequest, url: URL, headers: Record<string, string>) {
  const { method, body, context, maxBytes = 65_536, redirects, retry = registryRetry } = request;
  return { method, url, headers, body, context, limits: { maxBytes }, redirects, retry };
}

function urlOf({ path, repository, query = {} }: RegistryRequest, { origin }: Connection): URL {
  const url =
    typeof path === "string" ? new URL(`/v2/${repository.path}/${path}`, origin) : new URL(path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function accessOf({ repository, method, actions, alsoReads }: RegistryRequest): Access {
  const { path } = repository;
  const usual = method === "GET" || method === "HEAD" ? "pull" : "pull,push";
  const own = `repository:${path}:${actions ?? usual}`;
  const other = alsoReads === undefined ? [] : [`repository:${alsoReads.path}:pull`];
  return { path, scopes: [own, ...other] };
}
