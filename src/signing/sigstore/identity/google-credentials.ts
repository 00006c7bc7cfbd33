import { defaultToken } from "../../../google/default-token";
import { GoogleError } from "../../../google/google-error";
import { ServiceError, type ServiceErrorCode } from "../service/service-error";
import type { TokenSearch } from "./token-request";

/**
 * Gets an access token from Google's application default credentials.
 *
 * @throws ServiceError
 */
export async function googleAccessToken(search: TokenSearch): Promise<string> {
  try {
    const found = await defaultToken(search);
    if (found !== undefined) return found.token;
  } catch (error) {
    throw asServiceError(error, "No Google access token: ");
  }
  throw new ServiceError(
    "IDENTITY",
    "No Google access token: GOOGLE_SERVICE_ACCOUNT_NAME is set, but there are no Google credentials to impersonate it with: set GOOGLE_APPLICATION_CREDENTIALS, or run gcloud auth application-default login.",
  );
}

/** Converts a `GoogleError` to an error of this slice. Returns any other error unchanged. */
export function asServiceError(error: unknown, before = ""): unknown {
  if (!(error instanceof GoogleError)) return error;
  const code: ServiceErrorCode = isOurs(error.code) ? error.code : "IDENTITY";
  return new ServiceError(code, `${before}${error.message}.`, error.cause);
}

const isOurs = (code: string): code is "TRANSPORT" | "CANCELLED" | "DEADLINE" =>
  ["TRANSPORT", "CANCELLED", "DEADLINE"].includes(code);
