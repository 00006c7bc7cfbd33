import { DerError } from "../der/der-element";
import { readOctetString } from "../der/read-value";
import { type Certificate, oid } from "./certificate";

/**
 * A signed certificate timestamp (SCT): a log's promise to add a certificate.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6962#section-3.2
 */
export interface CertificateTimestamp {
  readonly logId: Buffer;
  readonly time: Date;
  /** TLS's number of the hash algorithm (RFC 5246 §7.4.1.4.1). */
  readonly hashAlgorithm: number;
  readonly signatureAlgorithm: number;
  readonly signature: Buffer;
  /** The time and the extensions, encoded as in the signed bytes. */
  readonly timeBytes: Buffer;
  readonly extensionsBytes: Buffer;
}

/** Maximum number of SCTs in a certificate; signers' certificates have one. */
const maxTimestamps = 10;

/**
 * Reads the SCTs in a certificate.
 *
 * @throws DerError
 */
export function certificateTimestamps(certificate: Certificate): readonly CertificateTimestamp[] {
  const extension = certificate.extension(oid.signedCertificateTimestamps);
  if (extension === undefined) return [];
  const list = new TlsReader(readOctetString(extension));
  const items = new TlsReader(list.vector());
  list.end();
  const timestamps: CertificateTimestamp[] = [];
  while (!items.isAtEnd) {
    timestamps.push(readTimestamp(items.vector()));
    if (timestamps.length > maxTimestamps) {
      throw new DerError("UNSUPPORTED", `the certificate has more than ${maxTimestamps} SCTs`);
    }
  }
  return timestamps;
}

/**
 * The bytes that a log signs: the timestamp, and the certificate without its SCTs (`precert_entry`).
 *
 * @param issuerKeyHash SHA-256 of the issuer's public key
 */
export function signedTimestamp(
  timestamp: CertificateTimestamp,
  certificate: Certificate,
  issuerKeyHash: Buffer,
): Buffer {
  const tbs = certificate.tbsWithout(oid.signedCertificateTimestamps);
  const size = Buffer.alloc(3);
  size.writeUIntBE(tbs.byteLength, 0, 3);
  return Buffer.concat([
    Buffer.of(0, 0),
    timestamp.timeBytes,
    Buffer.of(0, 1),
    issuerKeyHash,
    size,
    tbs,
    timestamp.extensionsBytes,
  ]);
}

function readTimestamp(bytes: Buffer): CertificateTimestamp {
  const reader = new TlsReader(bytes);
  if (reader.byte() !== 0) throw new DerError("UNSUPPORTED", "an SCT does not have version 1");
  const logId = reader.take(32);
  const timeBytes = reader.take(8);
  const extensions = reader.vector();
  const size = Buffer.alloc(2);
  size.writeUInt16BE(extensions.byteLength);
  const hashAlgorithm = reader.byte();
  const signatureAlgorithm = reader.byte();
  const signature = reader.vector();
  reader.end();
  return {
    logId,
    time: new Date(Number(timeBytes.readBigUInt64BE())),
    hashAlgorithm,
    signatureAlgorithm,
    signature,
    timeBytes,
    extensionsBytes: Buffer.concat([size, extensions]),
  };
}

/** Reads TLS's presentation language (RFC 5246 §4), as far as SCTs need it. */
class TlsReader {
  #offset = 0;

  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.byteLength;
  }

  take(count: number): Buffer {
    const end = this.#offset + count;
    if (end > this.#bytes.byteLength) throw new DerError("TRUNCATED", "an SCT ends too early");
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  vector(): Buffer {
    return this.take(this.take(2).readUInt16BE());
  }

  end(): void {
    if (!this.isAtEnd) throw new DerError("TRAILING_BYTES", "there are extra bytes after an SCT");
  }
}
