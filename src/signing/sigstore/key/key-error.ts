/**
 * Why a key cannot be used: `KEY` (the reference or the key is invalid or not supported), `KEY_PASSWORD` (the
 * password is missing or wrong), `KEY_SERVICE` (the key-management service refused, or sent an unexpected
 * response), `CANCELLED`, `DEADLINE`.
 */
type KeyErrorCode = "KEY" | "KEY_PASSWORD" | "KEY_SERVICE" | "CANCELLED" | "DEADLINE";

/** The only error of signing keys. Its message contains neither keys nor passwords. */
export class KeyError extends Error {
  override readonly name = "KeyError";

  constructor(
    readonly code: KeyErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The environment variable with the password of a key file. cosign uses the same. */
export const passwordVariable = "COSIGN_PASSWORD";

/** The error for a password that does not decrypt a key. */
export function wrongPassword(source: string, cause?: unknown): KeyError {
  return new KeyError(
    "KEY_PASSWORD",
    `${source} cannot be decrypted with the password in ${passwordVariable}: the password is wrong, or the file is damaged`,
    cause,
  );
}
