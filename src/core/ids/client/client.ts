import { googleUniverse } from "../../google/credentials";
import { type CallContext, type ClientLog, type Clock, systemClock } from "../../http/call-context";
import { createHttpClient } from "../../http/client";
import type { Transport } from "../../http/transport";
import { isLoopbackHost } from "../../schema";
import { ApiError } from "./api-error";
import { type Operation, waitForOperation } from "./operation";
import { createRestCall, type RestCall, type UserProject } from "./rest-call";
import type { TokenSource } from "./token-source";

/**
 * A client for the service's REST API, with retries.
 *
 * Every method throws only `ApiError`. The methods of each resource are in its folder, such as
 * `../endpoint/client.ts`.
 */
export interface IdsClient {
  /** Sends a request and returns the JSON object of the response. */
  readonly call: RestCall;
  /** Polls an operation until it is done. Throws if it failed. */
  waitForOperation(operation: Operation, options: CallContext): Promise<void>;
  close(): Promise<void>;
}

export interface IdsClientSettings {
  /** `https://ids.googleapis.com/v1/`, or another base URL that ends in `/v1/`. */
  readonly baseUrl: string;
  /** The source of access tokens. Without one, requests have no Authorization header. */
  readonly token: TokenSource | undefined;
  /**
   * Timeout of one attempt, in milliseconds.
   * @default 120000
   */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Interval between polls of an operation, in milliseconds.
   * @default 5 s, doubled up to 45 s
   */
  readonly pollIntervalMs?: number | undefined;
  /** The project whose quota requests use. @default that of the token */
  readonly userProject?: UserProject | undefined;
  /** The reason of all requests, for audit logs. @default none */
  readonly requestReason?: string | undefined;
  /** The version in the User-Agent header. @default "0.0.0" */
  readonly version?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number between 0 and 1, for the jitter of retries. @default Math.random */
  readonly random?: (() => number) | undefined;
  readonly log?: ClientLog | undefined;
  readonly transport?: Transport | undefined;
}

/**
 * Creates an {@link IdsClient}.
 *
 * @throws ApiError `SETTINGS` when the base URL is invalid (see `parseBaseUrl`)
 */
export function createIdsClient(settings: IdsClientSettings): IdsClient {
  const base = parseBaseUrl(settings.baseUrl);
  if ("problem" in base) {
    throw new ApiError({ code: "SETTINGS", message: `the base URL ${base.problem}` });
  }
  const { clock = systemClock, transport, log } = settings;
  const http = createHttpClient({
    transport,
    clock,
    log,
    random: settings.random,
    userAgent: `trivet-ids/${settings.version ?? "0.0.0"}`,
  });
  const call = createRestCall({
    http,
    baseUrl: base.url,
    token: settings.token,
    requestTimeoutMs: settings.requestTimeoutMs ?? 120_000,
    userProject: settings.userProject,
    requestReason: settings.requestReason,
    now: () => clock.now(),
  });
  const wait = { call, clock, log, pollIntervalMs: settings.pollIntervalMs };

  return {
    call,
    waitForOperation: (operation, options) => waitForOperation(operation, options, wait),
    close: () => http.close(),
  };
}

/** The base URL of the production service. */
export const standardBaseUrl = (universeDomain: string): string =>
  `https://ids.${universeDomain}/v1/`;

/** A valid base URL that ends in `/v1/`, or a problem as a predicate, such as "is not a URL". */
type BaseUrl = { readonly url: string } | { readonly problem: string };

/** Validates a base URL. Adds a missing trailing slash. */
export function parseBaseUrl(text: string): BaseUrl {
  const example = `an example is ${standardBaseUrl(googleUniverse)}`;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { problem: `is not a URL; ${example}` };
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { problem: `has the scheme ${url.protocol.slice(0, -1)}; it must be https` };
  }
  if (url.username !== "" || url.password !== "") {
    return { problem: "contains user information; remove it, and use access_token or credentials" };
  }
  if (url.search !== "" || url.hash !== "") {
    return { problem: `has a query string or a fragment; remove it; ${example}` };
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname)) {
    return {
      problem: `sends the access token in clear text to ${url.hostname}; use https (plain http is accepted only for 127.0.0.1, localhost and [::1])`,
    };
  }
  if (!/\/v1\/?$/.test(url.pathname)) {
    return {
      problem: `has the path ${url.pathname}; it must end with the API version /v1/; ${example}`,
    };
  }
  return { url: url.href.endsWith("/") ? url.href : `${url.href}/` };
}
