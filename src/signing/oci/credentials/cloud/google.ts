import type { CallContext } from "../../../../http/call-context";
import { requestAccessToken } from "../../../../google/access-token";
import { findDefaultCredentials } from "../../../../google/default-credentials";
import { GoogleError } from "../../../../google/google-error";
import { isMetadataNamed } from "../../../../google/metadata-server";
import type { TokenServices } from "../../../../google/token-request";
import { RegistryError } from "../../protocol/registry-error";
import type { Credentials } from "../credentials";
import type { CloudSettings } from "./cloud-credentials";
import { unusable } from "../unusable-credentials";

/**
 * The credentials for Google's registries: an access token from the application default credentials; undefined
 * if there are none.
 *
 * @throws RegistryError
 * @see https://cloud.google.com/docs/authentication/application-default-credentials
 * @see https://cloud.google.com/artifact-registry/docs/docker/authentication#token
 */
export async function googleCredentials(
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const services = tokenServices(settings, context);
  try {
    const found = await findDefaultCredentials(services, { productFile: settings.productFile });
    if (found === undefined) return undefined;
    const { token, expiresAt } = await requestAccessToken(services, found);
    return { kind: "basic", username: "oauth2accesstoken", password: token, expiresAt };
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error;
    const { code, message } = error;
    // Public images need no identity.
    if (code === "NO_SERVICE_ACCOUNT") return undefined;
    if (code === "CANCELLED" || code === "DEADLINE") {
      throw new RegistryError({ code, message, cause: error });
    }
    throw unusable(message, error);
  }
}

function tokenServices(
  { http, environment, homeFolder, redact, now = () => new Date() }: CloudSettings,
  context: CallContext,
): TokenServices {
  const env = { HOME: homeFolder, ...environment };
  return {
    http,
    context,
    redact,
    // Outside of Google, another machine could have the metadata server's address, and asking it takes seconds.
    env: isMetadataNamed(env) ? env : { METADATA_SERVER_DETECTION: "bios-only", ...env },
    now: () => now().getTime(),
  };
}
