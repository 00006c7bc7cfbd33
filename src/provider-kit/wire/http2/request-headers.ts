import { FieldKind, type HeaderField } from "./hpack-field";

/** The longest list of headers, counted as HPACK does. */
export const maxHeaderListBytes = 65_536;

/** The headers of a request, or of its end, as far as gRPC needs them. */
export class RequestHeaders {
  method: string | undefined;
  path: string | undefined;
  contentType: string | undefined;
  timeout: string | undefined;
  /** The announced length of the body; -1 without one. */
  contentLength = -1;
  #scheme: string | undefined;
  #authority: string | undefined;
  #hasRegular = false;
  #hasPseudo = false;
  #isMalformed = false;
  #bytes = 0;

  add(field: HeaderField): void {
    this.#bytes += field.size;
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
        if (!/^\d{1,15}$/.test(field.value)) this.#isMalformed = true;
        this.contentLength = Number(field.value);
        break;
      case FieldKind.forbidden:
        this.#isMalformed = true;
    }
    this.#hasRegular = true;
  }

  #pseudo(before: string | undefined, field: HeaderField): string {
    this.#hasPseudo = true;
    if (before !== undefined || this.#hasRegular) this.#isMalformed = true;
    return field.value;
  }

  /** Whether they are longer than permitted. */
  get areTooLong(): boolean {
    return this.#bytes > maxHeaderListBytes;
  }

  /** Whether they can begin a request. */
  get areValid(): boolean {
    return (
      !this.#isMalformed &&
      this.method !== undefined &&
      this.#scheme !== undefined &&
      this.path !== undefined &&
      this.path !== ""
    );
  }

  /** Whether they can end a request. */
  get areValidTrailers(): boolean {
    return !this.#isMalformed && !this.#hasPseudo;
  }
}
