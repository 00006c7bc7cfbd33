import { isObject } from "../../../json/is-object";
import { HttpError, type HttpErrorCode } from "../../../http/http-error";
import { isTemporaryFailure } from "../../../http/explain-failure";
import { formatLabel } from "../../../http/request-label";
import { retryPolicy } from "../../../http/retry-policy";
import { serverMessage } from "../../../http/server-message";
import { readJsonObject } from "./read-json";
import { RegistryError, type RegistryErrorCode } from "./registry-error";

export const temporaryStatuses = [408, 429, 499, 500, 502, 503, 504, 522];

// Registries that spread over several machines answer these while what was just written spreads.
const temporaryCodes: ReadonlySet<string> = new Set(["MANIFEST_BLOB_UNKNOWN", "DIGEST_INVALID"]);

export const registryRetry = retryPolicy({
  statuses: temporaryStatuses,
  also: (_, body) => readCodes(body).some(({ code }) => temporaryCodes.has(code)),
});

export interface Refusal {
  readonly method: string;
  readonly url: URL;
  readonly status: number;
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
}

/** What the registry's refusal means, in its own words at the end. */
export function refusalError({ method, url, status, body, secrets }: Refusal): RegistryError {
  const known = readCodes(body);
  const said = known.map(({ code, message }) => (message === "" ? code : `${code}: ${message}`));
  const text = said.length > 0 ? said.join("; ") : Buffer.from(body).toString("utf8");
  const words = serverMessage(text, secrets);
  const registryCodes = known.map(({ code }) => code);
  return new RegistryError({
    code: codeOf(status, registryCodes),
    message: `${formatLabel({ method, url })} was answered with HTTP ${status}${words === "" ? "" : `: "${words}"`}`,
    status,
    registryCodes,
    isTemporary:
      temporaryStatuses.includes(status) || registryCodes.some((code) => temporaryCodes.has(code)),
  });
}

/** The same failure as an error of the registry client. */
export function transportError(failure: unknown): unknown {
  if (!(failure instanceof HttpError)) return failure;
  const { code, message, reason } = failure;
  const mayPass = code === "TIMEOUT" || code === "NO_ANSWER" || code === "BROKEN_OFF";
  return new RegistryError({
    code: transportCodes[code],
    message,
    isTemporary: mayPass && isTemporaryFailure(reason),
    cause: failure,
  });
}

/** The error of one who gives up while another asks for both. */
export function interrupted(): RegistryError {
  const message = "the request was interrupted while it waited for another";
  return new RegistryError({ code: "CANCELLED", message });
}

const transportCodes: Readonly<Record<HttpErrorCode, RegistryErrorCode>> = {
  NO_ANSWER: "TRANSPORT",
  BROKEN_OFF: "TRANSPORT",
  TIMEOUT: "TRANSPORT",
  URL: "TRANSPORT",
  TOO_LARGE: "TOO_LARGE",
  REDIRECT: "UNSAFE",
  DEADLINE: "DEADLINE",
  CANCELLED: "CANCELLED",
};

function codeOf(status: number, codes: readonly string[]): RegistryErrorCode {
  if (status === 404) return "NOT_FOUND";
  if (status === 401) return "UNAUTHORIZED";
  if (status === 405 || codes.includes("UNSUPPORTED")) return "UNSUPPORTED";
  if (status === 403) return "DENIED";
  if (status === 429) return "RATE_LIMITED";
  if (status >= 500) return "UNAVAILABLE";
  return status >= 400 ? "REFUSED" : "MALFORMED_ANSWER";
}

function readCodes(body: Uint8Array): readonly { code: string; message: string }[] {
  // Most answers that pass here are not errors: look before parsing.
  if (body.byteLength > 65_536 || body[0] !== 0x7b) return [];
  const errors = readJsonObject(body)?.["errors"];
  if (!Array.isArray(errors)) return [];
  return errors
    .filter(isObject)
    .slice(0, 5)
    .flatMap(({ code, message }) =>
      typeof code === "string" && /^[A-Z_]{1,60}$/.test(code)
        ? [{ code, message: typeof message === "string" ? message : "" }]
        : [],
    );
}
