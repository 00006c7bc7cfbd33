import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { HttpFailure } from "../../../local-service/http-failure";

/**
 * Headers of every response. The page loads only its own files: no inline scripts, and images only from
 * the page itself or from data URLs, so that a template cannot make the browser connect to anything.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * The token that the page must send with each request for data. Only the readers of the command's output know
 * it, and neither the other users of this machine nor other web pages.
 *
 * It is in the fragment of the page's URL, which browsers do not send, and later in a header, because all
 * ports of a host share their cookies.
 */
export class PageToken {
  readonly text = randomBytes(24).toString("base64url");

  /** @throws HttpFailure (401) if the request does not have the token */
  require({ headers }: IncomingMessage): void {
    const [, given = ""] = /^Bearer (\S+)$/.exec(headers.authorization ?? "") ?? [];
    if (!timingSafeEqual(digest(given), digest(this.text))) {
      throw new HttpFailure(401, "Open the address that the command printed: it has a token.");
    }
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
