import { HttpFailure } from "../../../local-service/http-failure";

const statuses = {
  BLOB_UNKNOWN: 404,
  BLOB_UPLOAD_INVALID: 416,
  BLOB_UPLOAD_UNKNOWN: 404,
  DENIED: 403,
  DIGEST_INVALID: 400,
  MANIFEST_BLOB_UNKNOWN: 400,
  MANIFEST_INVALID: 400,
  MANIFEST_UNKNOWN: 404,
  NAME_INVALID: 400,
  NAME_UNKNOWN: 404,
  PRECONDITION: 412,
  SIZE_INVALID: 413,
  TOOMANYREQUESTS: 429,
  UNAUTHORIZED: 401,
  UNSUPPORTED: 405,
} as const;

/**
 * The error codes of the distribution specification.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes
 */
type RegistryErrorCode = keyof typeof statuses;

export class RegistryFailure extends HttpFailure {
  constructor(
    readonly code: RegistryErrorCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(statuses[code], message, headers);
  }

  override toJson(): unknown {
    return { errors: [{ code: this.code, message: this.message, detail: {} }] };
  }
}
