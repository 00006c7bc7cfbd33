/** Milliseconds that a `Retry-After` header asks for, as seconds or as an HTTP date. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts much ("2", "May"); an HTTP date names its weekday and its zone.
  if (!/^[A-Z][a-z]+, .+ GMT$/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
