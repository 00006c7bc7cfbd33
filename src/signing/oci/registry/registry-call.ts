import type { CallContext } from "../../../http/call-context";
import type {
  HttpResponse,
  HttpClient,
  OutgoingRequest,
  StreamedResponse,
} from "../../../http/client";
import type { RedirectPolicy } from "../../../http/redirect";
import type { RetryPolicy } from "../../../http/retry-policy";
import { renewedValue, type RenewedValue } from "../../../http/renewed-value";
import { secretsIn } from "../../../http/secrets-in";
import type { Repository } from "../reference/repository";
import type { Access, Authorization } from "./authorization";
import { parseChallenge } from "../protocol/challenge";
import { connect, type Connection } from "./connection";
import { interrupted, refusalError, registryRetry, transportError } from "../protocol/refusal";
import type { RegistryError } from "../protocol/registry-error";

/** A request to a registry. */
export interface RegistryRequest {
  readonly repository: Repository;
  readonly method: OutgoingRequest["method"];
  /** Path under `/v2/<repository>/`, or the full URL that the registry returned for an upload. */
  readonly path: string | URL;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: OutgoingRequest["body"];
  readonly actions: "pull" | "pull,push" | "delete,pull,push";
  /** Another repository of the same registry that is read. */
  readonly alsoReads?: Repository | undefined;
  readonly context: CallContext;
  readonly maxBytes: number;
  /** @default "return" */
  readonly redirects?: RedirectPolicy | undefined;
  /** @default registryRetry */
  readonly retry?: RetryPolicy | undefined;
}

interface Refusable {
  /** The error for callers that did not expect the response's status. */
  refusal(): RegistryError;
}

/** Sends requests to registries, with authentication. Throws only `RegistryError`. */
export interface RegistryCalls {
  /** Sends a request and reads the whole response. */
  request(request: RegistryRequest): Promise<HttpResponse & Refusable>;
  /** Sends a request and streams the response. */
  open(request: RegistryRequest): Promise<StreamedResponse & { refusal(): Promise<RegistryError> }>;
}

/** The settings of {@link createRegistryCalls}. */
interface RegistryCallSettings {
  readonly http: HttpClient;
  readonly authorization: Authorization;
  readonly plainHttpRegistries: readonly string[];
  /** Further strings to redact from messages, such as the password that a token was requested with. */
  readonly secrets?: Iterable<string> | undefined;
}

/** Creates the layer that adds authentication to requests. */
export function createRegistryCalls(settings: RegistryCallSettings): RegistryCalls {
  const { http, authorization, secrets: known = [] } = settings;
  const connections = new Map<string, RenewedValue<Connection, CallContext>>();

  function connectionTo(registry: string, context: CallContext): Promise<Connection> {
    const connection =
      connections.get(registry) ??
      renewedValue<Connection, CallContext>({
        renew: (caller) => connect(registry, caller, settings),
        expiresAt: () => Infinity,
        now: Date.now,
        interrupted,
      });
    connections.set(registry, connection);
    return connection(context);
  }

  async function send<T extends Pick<HttpResponse, "status" | "headers" | "url">>(
    request: RegistryRequest,
    run: (outgoing: OutgoingRequest) => Promise<T>,
  ) {
    const { context, repository } = request;
    const connection = await connectionTo(repository.registry, context);
    const url = urlOf(request, connection);
    // An upload may go to another host, but the credentials are only for the registry.
    const isOurs = url.origin === connection.origin.origin;
    let header = isOurs
      ? await authorization.header(connection, accessOf(request), context)
      : undefined;
    for (let number = 1; ; number++) {
      const headers = {
        ...request.headers,
        ...(header === undefined ? {} : { authorization: header }),
      };
      const answer = await run(outgoingOf(request, url, headers)).catch((failure: unknown) => {
        throw transportError(failure);
      });
      // Where a redirect leads, nobody may ask for the credentials, or choose the token service.
      const isAsked = answer.status === 401 && answer.url.origin === connection.origin.origin;
      const challenge = isAsked ? parseChallenge(answer.headers["www-authenticate"]) : undefined;
      if (number === 1 && isOurs && challenge !== undefined) {
        connection.challenge = challenge;
        const fresh = await authorization.header(connection, accessOf(request), context, header);
        if (fresh !== undefined && fresh !== header) {
          header = fresh;
          continue;
        }
      }
      const label = { method: request.method, url, answeredBy: answer.url };
      return { answer, label, secrets: [...secretsIn(headers), ...known] };
    }
  }

  return {
    async request(request) {
      const { answer, label, secrets } = await send(request, (outgoing) => http.request(outgoing));
      const { status, body } = answer;
      return { ...answer, refusal: () => refusalError({ ...label, status, body, secrets }) };
    },
    async open(request) {
      const { answer, label, secrets } = await send(request, (outgoing) => http.open(outgoing));
      const { status } = answer;
      const refusal = async () => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of answer.body) chunks.push(chunk);
        return refusalError({ ...label, status, body: Buffer.concat(chunks), secrets });
      };
      return { ...answer, refusal };
    },
  };
}

function outgoingOf(request: RegistryRequest, url: URL, headers: Record<string, string>) {
  const { method, body, context, maxBytes, redirects, retry = registryRetry } = request;
  return { method, url, headers, body, context, limits: { maxBytes }, redirects, retry };
}

function urlOf({ path, repository, query = {} }: RegistryRequest, { origin }: Connection): URL {
  const url =
    typeof path === "string" ? new URL(`/v2/${repository.path}/${path}`, origin) : new URL(path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function accessOf({ repository, actions, alsoReads }: RegistryRequest): Access {
  const { path } = repository;
  const own = `repository:${path}:${actions}`;
  const other = alsoReads === undefined ? [] : [`repository:${alsoReads.path}:pull`];
  return { path, scopes: [own, ...other] };
}
