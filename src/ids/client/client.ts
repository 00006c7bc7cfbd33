import { ApiError } from "./api-error";
import { parseBaseUrl } from "./base-url";
import type { CallContext, ClientLog } from "../../http/call-context";
import { systemClock, type Clock } from "../../http/clock";
import { isParent, parseEndpointName } from "../endpoint/name";
import {
  readEndpoint,
  writeBody,
  writeMasked,
  type EndpointBody,
  type EndpointResource,
} from "../endpoint/resource";
import { lazyTransport } from "../../http/lazy-transport";
import { parseOperation, type Operation } from "./operation";
import { createRestCall } from "./rest-call";
import type { TokenSource } from "./token-source";
import type { Transport } from "../../http/transport";
import { waitForOperation } from "./wait-for-operation";

export interface CreateEndpointRequest {
  /** `projects/P/locations/L` */
  readonly parent: string;
  readonly endpointId: string;
  readonly endpoint: EndpointBody;
  readonly requestId: string;
}

export interface PatchEndpointRequest {
  /** `projects/P/locations/L/endpoints/E` */
  readonly name: string;
  /** Names of fields of `EndpointBody`; exactly these are written, absent ones are emptied. */
  readonly updateMask: readonly string[];
  readonly endpoint: EndpointBody;
  readonly requestId: string;
}

export interface DeleteEndpointRequest {
  readonly name: string;
  readonly requestId: string;
}

/**
 * The service's REST API, with retries.
 *
 * Every method throws only `ApiError`, except for a caller's bug (an empty update mask), which is a
 * `TypeError`. A mutation is repeated after a lost answer because all its attempts carry one
 * `requestId`, which the service recognises for at least 60 minutes.
 */
export interface IdsClient {
  createEndpoint(request: CreateEndpointRequest, options: CallContext): Promise<Operation>;
  getEndpoint(name: string, options: CallContext): Promise<EndpointResource>;
  patchEndpoint(request: PatchEndpointRequest, options: CallContext): Promise<Operation>;
  deleteEndpoint(request: DeleteEndpointRequest, options: CallContext): Promise<Operation>;
  /** Polls until the operation is done; throws when it failed. */
  waitForOperation(operation: Operation, options: CallContext): Promise<void>;
  /** Drops open connections. */
  close(): Promise<void>;
}

export interface IdsClientSettings {
  /** `https://ids.googleapis.com/v1/`, or another base that ends in `/v1/`. */
  readonly baseUrl: string;
  /** Without one, requests carry no Authorization header. */
  readonly token: TokenSource | undefined;
  /**
   * How long one attempt may take.
   * @default 120000
   */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Wait exactly this long between polls of an operation.
   * @default 5 s, doubled up to 45 s
   */
  readonly pollIntervalMs?: number | undefined;
  /** For the User-Agent header. @default "0.0.0" */
  readonly version?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Between 0 and 1, spreads the retries. @default Math.random */
  readonly random?: (() => number) | undefined;
  readonly log?: ClientLog | undefined;
  readonly transport?: Transport | undefined;
}

/** @throws ApiError `SETTINGS` when the base URL cannot be used (see `parseBaseUrl`). */
export function createIdsClient(settings: IdsClientSettings): IdsClient {
  const base = parseBaseUrl(settings.baseUrl);
  if ("problem" in base) throw settingsError(`the base URL ${base.problem}`);
  const { clock = systemClock, transport = lazyTransport(), log = () => undefined } = settings;
  const call = createRestCall({
    baseUrl: base.url,
    token: settings.token,
    requestTimeoutMs: settings.requestTimeoutMs ?? 120_000,
    userAgent: `trivet-ids/${settings.version ?? "0.0.0"}`,
    clock,
    random: settings.random ?? Math.random,
    log,
    transport,
  });
  const wait = { call, clock, log, pollIntervalMs: settings.pollIntervalMs };

  return {
    async createEndpoint({ parent, endpointId, endpoint, requestId }, options) {
      const path = `${encodeName(parent, isParent)}/endpoints`;
      const query = { endpointId, requestId };
      return parseOperation(
        await call({ method: "POST", path, query, body: writeBody(endpoint) }, options),
      );
    },
    async getEndpoint(name, options) {
      return readEndpoint(
        await call({ method: "GET", path: encodeName(name, isEndpointName) }, options),
      );
    },
    async patchEndpoint({ name, updateMask, endpoint, requestId }, options) {
      const body = writeMasked(endpoint, updateMask);
      const path = encodeName(name, isEndpointName);
      const query = { updateMask: updateMask.join(","), requestId };
      return parseOperation(await call({ method: "PATCH", path, query, body }, options));
    },
    async deleteEndpoint({ name, requestId }, options) {
      const path = encodeName(name, isEndpointName);
      return parseOperation(await call({ method: "DELETE", path, query: { requestId } }, options));
    },
    waitForOperation: (operation, options) => waitForOperation(operation, options, wait),
    close: () => transport.close(),
  };
}

/** Checks a name before it becomes part of a URL, and percent-encodes its segments. */
function encodeName(name: string, isName: (text: string) => boolean): string {
  if (!isName(name)) throw settingsError(`${JSON.stringify(name)} is not a name of the service`);
  return name.split("/").map(encodeURIComponent).join("/");
}

function isEndpointName(text: string): boolean {
  return parseEndpointName(text) !== undefined;
}

function settingsError(message: string): ApiError {
  return new ApiError({ code: "SETTINGS", message });
}
