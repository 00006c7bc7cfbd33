/** More of a page is never looked at. */
const maxLength = 100_000;

/**
 * The words of a page that a proxy or another server sent instead of the API's JSON: its title, else its text
 * without tags. Any other text is returned as it is. It is not yet fit to be shown: see `serverMessage`.
 */
export function pageText(body: string): string {
  const page = body.slice(0, maxLength);
  if (!/^\s*<(?:!doctype html|html|head|body)\b/i.test(page)) return body;
  const title = /<title[^>]{0,200}>([^<]*)/i.exec(page)?.[1]?.trim() ?? "";
  if (title !== "") return title;
  return page
    .replaceAll(/<(script|style)\b[^]*?<\/\1>/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
