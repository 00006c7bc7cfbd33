import { ApiError } from "./api-error";
import { parseBaseUrl } from "./base-url";
import type { CallContext, ClientLog } from "../../http/call-context";
import { systemClock, type Clock } from "../../http/clock";
import { lazyTransport } from "../../http/lazy-transport";
import type { Operation } from "./operation";
import { createRestCall, type RestCall } from "./rest-call";
import type { TokenSource } from "./token-source";
import type { Transport } from "../../http/transport";
import { waitForOperation } from "./wait-for-operation";

/**
 * The service's REST API, with retries.
 *
 * Every method throws only `ApiError`. What the methods of one kind of resource send and read is in the
 * folder of that kind, such as `../endpoint/client.ts`.
 */
export interface IdsClient {
  /** Sends one request, and answers with the JSON object of the answer. */
  readonly call: RestCall;
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
  if ("problem" in base) {
    throw new ApiError({ code: "SETTINGS", message: `the base URL ${base.problem}` });
  }
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
    call,
    waitForOperation: (operation, options) => waitForOperation(operation, options, wait),
    close: () => transport.close(),
  };
}
