import { requestAccessToken } from "./access-token";
import { type DefaultSearch, findDefaultCredentials } from "./default-credentials";
import type { AccessToken, TokenServices } from "./token-request";

/**
 * Gets an access token with the application default credentials; undefined if there are none.
 *
 * @throws GoogleError
 */
export async function defaultToken(
  services: TokenServices,
  search?: DefaultSearch,
): Promise<AccessToken | undefined> {
  const found = await findDefaultCredentials(services, search);
  return found && requestAccessToken(services, found);
}
