import { isRecord, parsedJson } from "../json/plain-json";
import type { HttpClient, HttpResponse, OutgoingRequest, RequestLimits } from "./client";
import { within } from "../failure/failure";
import { isHttpError } from "./http-error";
import type { RedirectPolicy } from "./redirect";
import { retryPolicy } from "./retry";
import { serverMessage } from "./server-message";

interface CallPolicy {
  readonly limits: RequestLimits;
  /** @default "return" */
  readonly redirects?: RedirectPolicy | undefined;
}

export interface ServiceCall extends Omit<OutgoingRequest, "limits" | "redirects"> {
  readonly http: HttpClient;
  /** The start of messages: `The certificate authority`. */
  readonly service: string;
  /** Strings to redact from messages. @default none */
  readonly secrets?: readonly string[] | undefined;
  /** @default those of the policy */
  readonly limits?: Partial<RequestLimits> | undefined;
}

/**
 * Creates a function that calls services, and returns a response of any status. By default, it makes three attempts
 * after lost connections and temporary statuses.
 */
export function serviceCalls(policy: CallPolicy): (call: ServiceCall) => Promise<HttpResponse> {
  const { redirects } = policy;
  return async ({ http, service, secrets, retry = retryPolicy(), ...request }) => {
    const limits = { ...policy.limits, ...request.limits };
    try {
      return await http.request({ ...request, limits, redirects, retry });
    } catch (error) {
      throw atService(service, error, secrets);
    }
  };
}

/** Adds the service to the error of a request. Returns any other error unchanged. */
export const atService = (service: string, error: unknown, secrets?: readonly string[]): unknown =>
  isHttpError(error)
    ? within(error, `${service}: ${serverMessage(error.message, secrets)}`)
    : error;

/** Quotes the refusal of a service in a message: `HTTP status 400: "invalid_grant"`. */
export function quoteRefusal(
  { status, body }: Pick<HttpResponse, "status"> & { readonly body: Uint8Array },
  secrets: readonly string[] = [],
): string {
  const words = serverMessage(refusalWords(body), secrets);
  return words === "" ? `HTTP status ${status}` : `HTTP status ${status}: "${words}"`;
}

/** A longer body does not describe an error. */
const maxBytes = 65_536;
const maxItems = 5;
const maxDepth = 5;

/** The members in which services describe an error, the best description first. */
const descriptions = ["message", "Message", "error_description", "title", "msg", "error", "reason"];

const additions = ["errors", "detail", "details", "error"];

/**
 * Returns the words in the body of an error response, without the JSON around them: the errors of registries, of
 * token services (RFC 6749), of Google's gateways (Fulcio) and of Rekor, problem details (RFC 9457), and
 * similar ones. Any other body is returned unchanged. Show the result only through `serverMessage`.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes
 */
function refusalWords(body: Uint8Array): string {
  const text = Buffer.from(body).toString("utf8").trim();
  if (body.byteLength > maxBytes || !/^[{["]/.test(text)) return text;
  const value = parsedJson(text);
  return value === undefined ? text : wordsOf(value, maxDepth).join("; ");
}

function wordsOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (depth === 0) return [];
  if (Array.isArray(value)) {
    return value.slice(0, maxItems).flatMap((item) => wordsOf(item, depth - 1));
  }
  return isRecord(value) ? wordsOfError(value, depth) : [];
}

function wordsOfError(error: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  const found = descriptions.find((name) => isText(error[name]));
  const description = found === undefined ? "" : String(error[found]);
  const more = additions
    .filter((name) => name !== found && !(name === "error" && isText(error[name])))
    .flatMap((name) => wordsOf(error[name], depth - 1))
    .filter((words) => words !== description);
  // Numbers repeat the HTTP status, or are those of gRPC.
  const code = [error["code"], error["error"]].find((each) => isText(each) && each !== description);
  if (description === "" && code === undefined && more.length === 0) return leavesOf(error);
  const head = [code, description].filter(isText).join(": ");
  if (head === "") return more;
  return [more.length === 0 ? head : `${head} (${more.join("; ")})`];
}

/** The members of an object that is not an error, such as the detail of an error: `name lab/app, action pull`. */
function leavesOf(object: Readonly<Record<string, unknown>>): readonly string[] {
  const leaves = Object.entries(object).filter(([, value]) => isText(value));
  const words = leaves.slice(0, maxItems).map(([name, value]) => `${name} ${String(value)}`);
  return words.length === 0 ? [] : [words.join(", ")];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
