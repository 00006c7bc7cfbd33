import { Tokenization } from "cdktf";

/** The type of a token that cdktf wrote into a string or a key. */
type MarkerKind = "string" | "list" | "map";

/** One complete `${TfToken[…]}`, `#{TfToken[…]}` or `&{TfToken[…]}` in a string. */
interface Marker {
  readonly kind: MarkerKind;
  readonly text: string;
}

const kinds: Readonly<Record<string, MarkerKind>> = { $: "string", "#": "list", "&": "map" };

const marker = /([$#&])\{TfToken\[([\w:.-]+)\]\}/g;

/** Checks whether cdktf created a token with this key. A string can contain the same characters by chance. */
export function isRegistered(key: string): boolean {
  try {
    return Tokenization.reverseString(`\${TfToken[${key}]}`).tokens.length > 0;
  } catch {
    return false;
  }
}

export function markers(text: string): Marker[] {
  if (!text.includes("{TfToken[")) return [];
  const found: Marker[] = [];
  for (const [matched, sign = "", key = ""] of text.matchAll(marker)) {
    const kind = kinds[sign];
    if (kind !== undefined && isRegistered(key)) found.push({ kind, text: matched });
  }
  return found;
}

export function withoutMarkers(text: string): string {
  return markers(text).reduce((rest, { text: each }) => rest.replace(each, ""), text);
}

/** Checks whether a value is exactly one complete token of a kind. */
export function isMarker(value: unknown, kind: MarkerKind): boolean {
  if (typeof value !== "string") return false;
  const [first] = markers(value);
  return first?.kind === kind && first.text === value;
}
