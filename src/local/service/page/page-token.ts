import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { HttpFailure } from "../http-failure";

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
