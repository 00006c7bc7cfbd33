const maxLength = 100;

/** A value as a message shows it: JSON, cut where it is long. */
export function display(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === "bigint" ? inner.toString() : inner,
    );
  } catch {
    text = undefined;
  }
  text ??= String(value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
