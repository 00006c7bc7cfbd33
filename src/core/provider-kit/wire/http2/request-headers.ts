import { http2ConnectionError } from "./http2-frame";

/** The meaning of a field for a gRPC request. */
const FieldKind = {
  other: 0,
  method: 1,
  path: 2,
  scheme: 3,
  authority: 4,
  contentType: 5,
  timeout: 6,
  contentLength: 7,
  te: 8,
  /** A field that no request may have. */
  forbidden: 9,
} as const;

const kinds = new Map<string, number>([
  [":method", FieldKind.method],
  [":path", FieldKind.path],
  [":scheme", FieldKind.scheme],
  [":authority", FieldKind.authority],
  ["content-type", FieldKind.contentType],
  ["grpc-timeout", FieldKind.timeout],
  ["content-length", FieldKind.contentLength],
  ["te", FieldKind.te],
  ["connection", FieldKind.forbidden],
  ["keep-alive", FieldKind.forbidden],
  ["proxy-connection", FieldKind.forbidden],
  ["transfer-encoding", FieldKind.forbidden],
  ["upgrade", FieldKind.forbidden],
]);

/** The size of a table entry in addition to its characters. */
const entryOverhead = 32;

/**
 * A name of header fields. It is checked only once, because a peer can refer to a long name with one or two
 * bytes.
 */
export class HeaderName {
  /** The meaning of a field with this name, if its value is permitted. */
  readonly kind: number;

  constructor(readonly text: string) {
    this.kind = kindOfName(text);
  }
}

/** A header field. Its meaning is determined once, when it enters a table. */
export class HeaderField {
  readonly kind: number;
  readonly size: number;

  constructor(
    readonly name: HeaderName,
    readonly value: string,
  ) {
    this.kind = isPermitted(name.kind, value) ? name.kind : FieldKind.forbidden;
    this.size = name.text.length + value.length + entryOverhead;
  }
}

function kindOfName(name: string): number {
  const kind = kinds.get(name);
  if (kind !== undefined) return kind;
  // Also any other pseudo-header.
  return /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) ? FieldKind.other : FieldKind.forbidden;
}

function isPermitted(kind: number, value: string): boolean {
  switch (kind) {
    case FieldKind.contentLength:
      return /^\d{1,15}$/.test(value);
    case FieldKind.te:
      return value === "trailers";
    default:
      return !/[\0\r\n]/.test(value);
  }
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
    ? new HeaderField(new HeaderName(text), "")
    : new HeaderField(new HeaderName(text.slice(0, space)), text.slice(space + 1));
});

/** The longest list of headers, counted as HPACK does. */
export const maxHeaderListBytes = 65_536;

/** The headers or trailers of a request, as far as gRPC needs them. */
export class RequestHeaders {
  method: string | undefined;
  path: string | undefined;
  contentType: string | undefined;
  timeout: string | undefined;
  /** The announced length of the body; -1 if it was not announced. */
  contentLength = -1;
  #scheme: string | undefined;
  #authority: string | undefined;
  #hasRegular = false;
  #hasPseudo = false;
  #isMalformed = false;
  /** Their length, as HPACK counts it. */
  bytes = 0;

  /** @throws Http2ConnectionError ENHANCE_YOUR_CALM when there are more than permitted */
  add(field: HeaderField): void {
    this.bytes += field.size;
    // Checked for each field: one byte can refer to a field of thousands of bytes.
    if (this.bytes > maxHeaderListBytes) {
      throw http2ConnectionError("ENHANCE_YOUR_CALM", "the headers are too long");
    }
    switch (field.kind) {
      case FieldKind.method:
        this.method = this.#pseudo(this.method, field);
        return;
      case FieldKind.path:
        this.path = this.#pseudo(this.path, field);
        return;
      case FieldKind.scheme:
        this.#scheme = this.#pseudo(this.#scheme, field);
        return;
      case FieldKind.authority:
        this.#authority = this.#pseudo(this.#authority, field);
        return;
      case FieldKind.contentType:
        this.contentType = field.value;
        break;
      case FieldKind.timeout:
        this.timeout = field.value;
        break;
      case FieldKind.contentLength:
        this.#announce(Number(field.value));
        break;
      case FieldKind.forbidden:
        this.#isMalformed = true;
    }
    this.#hasRegular = true;
  }

  #announce(length: number): void {
    if (this.contentLength >= 0 && this.contentLength !== length) this.#isMalformed = true;
    this.contentLength = length;
  }

  #pseudo(before: string | undefined, field: HeaderField): string {
    this.#hasPseudo = true;
    if (before !== undefined || this.#hasRegular) this.#isMalformed = true;
    return field.value;
  }

  /** True if they can begin a request. */
  get areValid(): boolean {
    return (
      !this.#isMalformed &&
      this.method !== undefined &&
      this.#scheme !== undefined &&
      this.path !== undefined &&
      this.path !== ""
    );
  }

  /** True if they can end a request. */
  get areValidTrailers(): boolean {
    return !this.#isMalformed && !this.#hasPseudo;
  }
}
