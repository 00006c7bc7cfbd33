import { DerError } from "./der-element";

/**
 * Encodes DER as PEM, with a line break at the end.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7468
 */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/**
 * Decodes all PEM blocks with a label, in order. Anything between blocks is ignored.
 *
 * @throws DerError if a block is not valid base64
 */
export function fromPem(label: string, pem: string): readonly Buffer[] {
  return [...pem.matchAll(block)]
    .filter(([, found]) => found === label)
    .map(([, , body = ""]) => {
      const base64 = body.replace(/\s/g, "");
      const der = Buffer.from(base64, "base64");
      if (der.byteLength === 0 || der.toString("base64") !== base64) {
        throw new DerError("INVALID_VALUE", `a PEM block "${label}" is not base64`);
      }
      return der;
    });
}
