import { defaultProvider } from "@aws-sdk/credential-provider-node";
import type { CallContext } from "../../http/call-context";
import type { HttpClient } from "../../http/client";
import { withinDeadline } from "../../http/within-deadline";
import { type CloudSettings, identityFailure, sendForLibrary } from "./cloud-settings";
import { isHttpError } from "../../http/http-error";

const variables = [
  "AWS_ACCESS_KEY_ID",
  "AWS_PROFILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/**
 * The keys that Amazon's own tools use, as its SDK finds them: variables, profiles, web identities, containers and
 * machines. They are kept until they expire.
 *
 * @param region where roles are assumed. @default that of the environment or the profile
 */
export function awsCredentials(http: HttpClient, region?: string, onSecret?: (s: string) => void) {
  const requestHandler = awsRequestHandler(http, onSecret);
  return defaultProvider({
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- a warning: only its request handler and region count
    parentClientConfig: region === undefined ? { requestHandler } : { requestHandler, region },
  });
}

/** Finds these keys. @throws IdentityError @throws HttpError `CANCELLED` or `DEADLINE` */
export async function awsKeys(
  { http, env, redact }: CloudSettings,
  region: string,
  context: CallContext,
) {
  const secrets = new Set<string>();
  try {
    const find = awsCredentials(http, region, (secret) => {
      secrets.add(secret);
      redact(secret);
    });
    const keys = await withinDeadline(context, "the search for keys of Amazon", () => find());
    for (const secret of [keys.secretAccessKey, keys.sessionToken]) if (secret) redact(secret);
    return keys;
  } catch (error) {
    const isNone = (_: unknown, message: string) =>
      message.startsWith("Could not load credentials from any");
    throw identityFailure(error, { env, variables, isNone, secrets });
  }
}

/** A request of the SDK to its HTTP client. */
interface SdkRequest {
  readonly method: string;
  /** With a colon. */
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends the requests of Amazon's SDK with our client: to the service, and to exchange credentials. */
export function awsRequestHandler(http: HttpClient, onSecret?: (secret: string) => void) {
  return {
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: unknown } = {}) {
      const { method, protocol, hostname, port, path, query, headers, body } = request;
      const url = new URL(`${protocol}//${hostname}${port === undefined ? "" : `:${port}`}${path}`);
      for (const [name, value] of Object.entries(query)) {
        for (const each of [value].flat()) url.searchParams.append(name, each ?? "");
      }
      const answer = await sendForLibrary(http, {
        method,
        url: url.href,
        headers,
        body,
        signal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
        onSecret,
      }).catch((error: unknown) => {
        throw retryable(error);
      });
      return { response: { ...answer, statusCode: answer.status } };
    },
    metadata: { handlerProtocol: "http/1.1" },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

/** Marks what may succeed the next time, as the SDK expects it. */
function retryable(error: unknown): unknown {
  const isTemporary = isHttpError(error, "NO_ANSWER", "BROKEN_OFF", "TIMEOUT");
  return isTemporary ? Object.assign(error, { $retryable: {} }) : error;
}
