import { isFailure, within } from "../../../failure/failure";
import { defaultToken } from "../../../google/default-credentials";
import { isGoogleError } from "../../../google/google-error";
import { metadataOrigin, readMetadata } from "../../../google/metadata-server";
import { serviceError } from "./call-service";
import {
  audience,
  type IdentityToken,
  readIdentityToken,
  requestToken,
  type TokenSearch,
} from "./identity-token";

/**
 * Requests an identity token of the machine's service account from Google's metadata server; undefined if
 * there is no such server or no service account.
 *
 * @see https://cloud.google.com/compute/docs/instances/verifying-instance-identity
 */
export async function googleMachineToken(search: TokenSearch): Promise<IdentityToken | undefined> {
  const path = `instance/service-accounts/default/identity?audience=${audience}&format=full`;
  const answer = await readMetadata(search, path, { isCertain: false }).catch((error: unknown) => {
    throw asServiceError(error);
  });
  if ("absent" in answer) return undefined;
  return readIdentityToken(answer.body.toString("utf8"), metadataOrigin(search.env));
}

/**
 * Requests an identity token of the service account in GOOGLE_SERVICE_ACCOUNT_NAME, which the application
 * default credentials must be allowed to impersonate.
 *
 * @see https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateIdToken
 */
export async function impersonatedToken(
  search: TokenSearch,
  credentialsUrl = "https://iamcredentials.googleapis.com",
): Promise<IdentityToken> {
  const account = search.env["GOOGLE_SERVICE_ACCOUNT_NAME"] ?? "";
  if (!/^[\w.@:-]{1,256}$/.test(account)) {
    const rule = "must be the email address or the number of a service account";
    throw serviceError("IDENTITY", `GOOGLE_SERVICE_ACCOUNT_NAME ${rule}.`);
  }
  const path = `/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateIdToken`;
  return requestToken(search, {
    service: "Google's IAM credentials service",
    url: new URL(path, credentialsUrl),
    authorization: ["Bearer", await accessToken(search)],
    body: { audience, includeEmail: true },
    member: "token",
  });
}

async function accessToken(search: TokenSearch): Promise<string> {
  try {
    const found = await defaultToken(search);
    if (found !== undefined) return found.token;
  } catch (error) {
    throw asServiceError(error, "No Google access token: ");
  }
  throw serviceError(
    "IDENTITY",
    "No Google access token: GOOGLE_SERVICE_ACCOUNT_NAME is set, but there are no Google credentials to impersonate it with: set GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login.",
  );
}

/** Adds the purpose of the credentials to errors of Google. Returns any other error unchanged. */
function asServiceError(error: unknown, before = ""): unknown {
  if (!isFailure(error)) return error;
  const message = `${before}${error.message}.`;
  return isGoogleError(error) ? serviceError("IDENTITY", message) : within(error, message);
}
