import { type Failure, failures } from "../failure/failure";

/**
 * Why no access token could be obtained.
 *
 * `FILE` (credentials cannot be read or are incomplete), `URL` (a URL in a file of credentials is not
 * allowed), `UNIVERSE` (they are for the services of another domain), `SETTING` (an environment variable
 * is invalid), `REFUSED` (Google does not accept the credentials), `IMPERSONATION` (a service account
 * cannot be impersonated), `METADATA` (the metadata server does not provide a token),
 * `NO_SERVICE_ACCOUNT` (the machine has no service account), `SUBJECT` (the token of another identity
 * provider cannot be obtained).
 */
type GoogleErrorCode =
  | "FILE"
  | "URL"
  | "UNIVERSE"
  | "SETTING"
  | "REFUSED"
  | "IMPERSONATION"
  | "METADATA"
  | "NO_SERVICE_ACCOUNT"
  | "SUBJECT";

/**
 * The error for Google credentials that cannot be used. The message says where they come from and how to fix the problem,
 * in clauses without a period at the end. It contains no secrets.
 */
export type GoogleError = Failure<GoogleErrorCode>;
export const [googleError, isGoogleError] = failures<GoogleErrorCode>("GoogleError");
