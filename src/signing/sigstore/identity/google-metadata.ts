import { metadataOrigin, readMetadata } from "../../../google/metadata-server";
import { asServiceError } from "./google-credentials";
import { type IdentityToken, readIdentityToken } from "./identity-token";
import { audience, type TokenSearch } from "./token-request";

/**
 * Requests an identity token of the machine's service account from Google's metadata server; undefined if
 * there is no such server or no service account.
 *
 * @throws ServiceError
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
