import type { HttpError, HttpErrorCode } from "../../http/http-error";
import { isLoopbackHost } from "../../http/network-zone";
import type { RequestLabel } from "../../http/request-label";
import { ApiError, type ApiErrorCode } from "./api-error";

const codes: Readonly<Partial<Record<HttpErrorCode, ApiErrorCode>>> = {
  CANCELLED: "CANCELLED_BY_USER",
  DEADLINE: "DEADLINE",
};

/** The same failure in the words of this client; `reason` is the code of Node or undici. */
export function transportError(error: HttpError, { url }: RequestLabel): ApiError {
  const isLocal = error.reason === "ECONNREFUSED" && isLoopbackHost(url.hostname);
  const hint = isLocal ? "; is the local back end (`trivet local ids`) running?" : "";
  return new ApiError({
    code: codes[error.code] ?? "TRANSPORT",
    message: `${error.message}${hint}`,
    reason: error.reason,
  });
}
