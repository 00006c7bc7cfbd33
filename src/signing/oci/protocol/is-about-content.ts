import type { RegistryError, RegistryErrorCode } from "./registry-error";

/**
 * Whether an error is about one piece of content: it is missing, broken, too large, or its URL is unsafe.
 * Other content may still be readable, so a search goes on.
 */
export function isAboutContent({ code }: RegistryError): boolean {
  return codes.has(code);
}

const codes: ReadonlySet<RegistryErrorCode> = new Set<RegistryErrorCode>([
  "NOT_FOUND",
  "REFUSED",
  "WRONG_CONTENT",
  "TOO_LARGE",
  "MALFORMED_ANSWER",
  "UNSAFE",
]);
