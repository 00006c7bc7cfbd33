import { FieldKind, type HeaderField } from "./hpack-field";
import { Http2ConnectionError } from "./http2-error";

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
    // No sooner than this, and no later: a byte can be a reference to thousands of others.
    if (this.bytes > maxHeaderListBytes) {
      throw new Http2ConnectionError("ENHANCE_YOUR_CALM", "the headers are too long");
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
