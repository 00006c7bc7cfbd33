import { defaultProvider } from "@aws-sdk/credential-provider-node";
import { type CallContext, withinDeadline } from "../../http/call-context";
import type { HttpClient } from "../../http/client";
import {
  type CloudSettings,
  collectSecrets,
  identityFailure,
  sendForLibrary,
} from "./cloud-settings";
import { isHttpError } from "../../http/http-error";

const variables = [
  "AWS_ACCESS_KEY_ID",
  "AWS_PROFILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/**
 * Finds the keys that Amazon's own tools use, as its SDK does: in variables, profiles, web identities, containers and
 * machines. They are kept until they expire.
 *
 * @param onSecret receives what is exchanged for keys, and the secret parts of the keys
 * @param region where roles are assumed. @default that of the environment or the profile
 */
export function awsCredentials(
  http: HttpClient,
  onSecret: (secret: string) => void,
  region?: string,
) {
  const requestHandler = awsRequestHandler(http, onSecret);
  const find = defaultProvider({
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- a warning: only its request handler and region count
    parentClientConfig: region === undefined ? { requestHandler } : { requestHandler, region },
  });
  return async (...given: Parameters<typeof find>) => {
    const keys = await find(...given);
    for (const secret of [keys.secretAccessKey, keys.sessionToken]) if (secret) onSecret(secret);
    return keys;
  };
}

/** Finds these keys. @throws IdentityError @throws HttpError `CANCELLED` or `DEADLINE` */
export async function awsKeys(
  { http, env, redact }: CloudSettings,
  region: string,
  context: CallContext,
) {
  const { secrets, onSecret } = collectSecrets(redact);
  try {
    const find = awsCredentials(http, onSecret, region);
    return await withinDeadline(context, "the search for keys of Amazon", () => find());
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

/** Marks an error after which the SDK may try again. */
function retryable(error: unknown): unknown {
  const isTemporary = isHttpError(error, "NO_ANSWER", "BROKEN_OFF", "TIMEOUT");
  return isTemporary ? Object.assign(error, { $retryable: {} }) : error;
}
