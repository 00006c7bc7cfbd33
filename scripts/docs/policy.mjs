// @ts-check
import { createHash } from "node:crypto";

/**
 * Adds a policy to a page: it loads from its own host only, and runs no scripts but those that it was built with.
 *
 * @param {string} html
 */
export function withPolicy(html) {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)];
  const hashes = inline.map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`.trim(),
    // The colors of code are in attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(
    /<head>/,
    `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );
}
