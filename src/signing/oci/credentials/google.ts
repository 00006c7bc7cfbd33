import { defaultToken } from "../../../google/default-token";
import { GoogleError } from "../../../google/google-error";
import { isMetadataNamed } from "../../../google/metadata-server";
import type { CallContext } from "../../../http/call-context";
import type { CloudSettings } from "../../cloud-identity/cloud-settings";
import { RegistryError } from "../protocol/registry-error";
import { type Credentials, unusable } from "./credentials";

/**
 * The credentials for Google's registries: an access token from the application default credentials; undefined
 * if there are none, because public images need no identity.
 *
 * @throws RegistryError
 * @see https://cloud.google.com/artifact-registry/docs/docker/authentication#token
 */
export async function googleCredentials(
  settings: CloudSettings,
  context: CallContext,
): Promise<Credentials | undefined> {
  const { http, redact, productFile, now = Date.now } = settings;
  // Outside of Google, another machine could have the metadata server's address, and asking it takes seconds.
  const careful = { METADATA_SERVER_DETECTION: "bios-only", ...settings.env };
  const env = isMetadataNamed(settings.env) ? settings.env : careful;
  try {
    const found = await defaultToken({ http, env, redact, now, context }, { productFile });
    if (found === undefined) return undefined;
    const { token, expiresAt } = found;
    return { kind: "basic", username: "oauth2accesstoken", password: token, expiresAt };
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error;
    const { code, message } = error;
    if (code === "NO_SERVICE_ACCOUNT") return undefined;
    if (code === "CANCELLED" || code === "DEADLINE") {
      throw new RegistryError(code, message, { cause: error });
    }
    throw unusable(message, error);
  }
}
