import { requestAccessToken } from "../../google/access-token";
import { findDefaultCredentials } from "../../google/default-credentials";
import { GoogleError } from "../../google/google-error";
import type { AccessToken } from "../../google/token-request";
import type { CallContext } from "../../http/call-context";
import type { CloudSettings } from "./cloud-settings";

/**
 * An access token of Google's application default credentials; undefined if there are none.
 *
 * @throws GoogleError
 * @see https://cloud.google.com/docs/authentication/application-default-credentials
 */
export async function googleToken(
  { http, env, redact, productFile, now = Date.now }: CloudSettings,
  context: CallContext,
): Promise<AccessToken | undefined> {
  const services = { http, env, redact, now, context };
  try {
    const found = await findDefaultCredentials(services, { productFile });
    return found && (await requestAccessToken(services, found));
  } catch (error) {
    if (error instanceof GoogleError && error.code === "NO_SERVICE_ACCOUNT") return undefined;
    throw error;
  }
}
