const maxLength = 100;

/** Formats a value for a message: as JSON, truncated to 100 characters. Never shows a private key. */
export function display(value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "bigint" ? inner.toString() : inner,
    );
  } catch {
    json = undefined;
  }
  json ??= String(value);
  if (/-----BEGIN [^-]*PRIVATE KEY/.test(json)) return "a private key";
  return json.length <= maxLength ? json : `${json.slice(0, maxLength - 1)}…`;
}
