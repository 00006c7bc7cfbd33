/** The longest part of a page that is searched. */
const maxLength = 100_000;

/**
 * Returns the text of a page that a proxy or another server sent instead of the API's JSON: its title, else
 * its content without tags. Other text is returned unchanged. It is not yet safe to show: see
 * `serverMessage`.
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
