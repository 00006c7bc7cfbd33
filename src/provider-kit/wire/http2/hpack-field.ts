/** What a field means for a request of gRPC. */
export const FieldKind = {
  other: 0,
  method: 1,
  path: 2,
  scheme: 3,
  authority: 4,
  contentType: 5,
  timeout: 6,
  contentLength: 7,
  /** A field that no request may have. */
  forbidden: 8,
} as const;

const kinds = new Map<string, number>([
  [":method", FieldKind.method],
  [":path", FieldKind.path],
  [":scheme", FieldKind.scheme],
  [":authority", FieldKind.authority],
  ["content-type", FieldKind.contentType],
  ["grpc-timeout", FieldKind.timeout],
  ["content-length", FieldKind.contentLength],
  ["connection", FieldKind.forbidden],
  ["keep-alive", FieldKind.forbidden],
  ["proxy-connection", FieldKind.forbidden],
  ["transfer-encoding", FieldKind.forbidden],
  ["upgrade", FieldKind.forbidden],
]);

/** What a table entry counts in addition to its characters. */
const entryOverhead = 32;

/** A header field. What it means is determined once, when it enters a table. */
export class HeaderField {
  readonly kind: number;
  readonly size: number;

  constructor(
    readonly name: string,
    readonly value: string,
  ) {
    this.kind = kindOf(name, value);
    this.size = name.length + value.length + entryOverhead;
  }
}

function kindOf(name: string, value: string): number {
  if (/[\0\r\n]/.test(value)) return FieldKind.forbidden;
  const kind = kinds.get(name);
  if (kind !== undefined) return kind;
  // Also any other pseudo-header.
  if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name)) return FieldKind.forbidden;
  if (name === "te" && value !== "trailers") return FieldKind.forbidden;
  return FieldKind.other;
}

const staticText =
  ":authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|" +
  ":status 200|:status 204|:status 206|:status 304|:status 400|:status 404|:status 500|" +
  "accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges|accept|" +
  "access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|" +
  "content-encoding|content-language|content-length|content-location|content-range|content-type|" +
  "cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|" +
  "if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate|" +
  "proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|" +
  "strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate";

/**
 * The static table. Its first entry has index 1.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7541#appendix-A}
 */
export const staticTable: readonly HeaderField[] = staticText.split("|").map((text) => {
  const space = text.indexOf(" ");
  return space < 0
    ? new HeaderField(text, "")
    : new HeaderField(text.slice(0, space), text.slice(space + 1));
});
