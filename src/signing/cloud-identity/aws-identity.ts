import { defaultProvider } from "@aws-sdk/credential-provider-node";
import type { CallContext } from "../../http/call-context";
import type { HttpClient } from "../../http/client";
import { withinDeadline } from "../../http/within-deadline";
import { awsRequestHandler } from "./aws-request-handler";
import type { CloudSettings } from "./cloud-settings";
import { identityFailure } from "./identity-error";

/** The variables that name an identity. */
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
    parentClientConfig: region === undefined ? { requestHandler } : { requestHandler, region },
  });
}

/**
 * Finds these keys.
 *
 * @throws IdentityError
 * @throws HttpError `CANCELLED` or `DEADLINE`
 */
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
