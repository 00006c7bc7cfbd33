/**
 * The reason for a missing access token.
 *
 * `FILE` (credentials cannot be read or are incomplete), `URL` (a URL in a file of credentials is not
 * allowed), `UNIVERSE` (they are for the services of another domain), `SETTING` (an environment variable
 * is invalid), `REFUSED` (Google does not accept the credentials), `IMPERSONATION` (a service account
 * cannot be impersonated), `METADATA` (the metadata server does not provide a token),
 * `NO_SERVICE_ACCOUNT` (the machine has no service account), `SUBJECT` (the token of another identity
 * provider cannot be obtained), `TRANSPORT` (no response), `CANCELLED`, `DEADLINE`.
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
  | "SUBJECT"
  | "TRANSPORT"
  | "CANCELLED"
  | "DEADLINE";

/**
 * The only error of this folder. Its message says where the credentials come from and how to fix it,
 * in clauses without a period at the end. It contains no secrets.
 */
export class GoogleError extends Error {
  override readonly name = "GoogleError";

  constructor(
    readonly code: GoogleErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The credentials are for other services than those that are used. Nothing was sent. */
export class UniverseError extends GoogleError {
  /**
   * @param universeDomain that of the credentials
   * @param expected that of the services
   */
  constructor(
    origin: string,
    readonly universeDomain: string,
    expected: string,
  ) {
    super("UNIVERSE", `${origin} is for ${universeDomain}, not for ${expected}`);
  }
}
