import { Tokenization } from "cdktf";

/** What a token that cdktf wrote into a text or a key stands for. */
export type MarkerKind = "string" | "list" | "map";

/** One whole `${TfToken[…]}`, `#{TfToken[…]}` or `&{TfToken[…]}` of a text. */
export interface Marker {
  readonly kind: MarkerKind;
  readonly text: string;
}

const kinds: Readonly<Record<string, MarkerKind>> = { $: "string", "#": "list", "&": "map" };

const marker = /([$#&])\{TfToken\[([\w:.-]+)\]\}/g;

/** Whether cdktf gave out a token under this key; a text may hold the same letters by chance. */
export function isRegistered(key: string): boolean {
  try {
    return Tokenization.reverseString(`\${TfToken[${key}]}`).tokens.length > 0;
  } catch {
    return false;
  }
}

/** The whole tokens that a text holds. */
export function markers(text: string): Marker[] {
  if (!text.includes("{TfToken[")) return [];
  const found: Marker[] = [];
  for (const [matched, sign = "", key = ""] of text.matchAll(marker)) {
    const kind = kinds[sign];
    if (kind !== undefined && isRegistered(key)) found.push({ kind, text: matched });
  }
  return found;
}

/** A text without the whole tokens that it holds. */
export function withoutMarkers(text: string): string {
  return markers(text).reduce((rest, { text: each }) => rest.replace(each, ""), text);
}

/** Whether a text is one whole token of a kind and nothing else. */
export function isMarker(text: unknown, kind: MarkerKind): boolean {
  if (typeof text !== "string") return false;
  const [first] = markers(text);
  return first?.kind === kind && first.text === text;
}
