import { DerElement } from "../der/der-element";
import { DerError } from "../der/der-error";
import { readOctetString } from "../der/read-value";
import type { Certificate } from "./certificate";
import { oid } from "./object-identifiers";

/** A log's promise to list a certificate (SCT, RFC 6962 §3.2). */
export interface CertificateTimestamp {
  readonly logId: Buffer;
  readonly time: Date;
  /** TLS's numbers of the algorithms. */
  readonly hashAlgorithm: number;
  readonly signatureAlgorithm: number;
  readonly signature: Buffer;
  /** All of the promise up to the signature, as it stands in what is signed. */
  readonly timeBytes: Buffer;
  readonly extensionsBytes: Buffer;
}

/**
 * The promises inside of a certificate.
 *
 * @throws DerError
 */
export function certificateTimestamps(certificate: Certificate): readonly CertificateTimestamp[] {
  const extension = certificate.extensions.get(oid.signedCertificateTimestamps);
  if (extension === undefined) return [];
  const list = new TlsReader(readOctetString(DerElement.read(extension.value)));
  const items = new TlsReader(list.vector());
  list.end();
  const timestamps: CertificateTimestamp[] = [];
  while (!items.isAtEnd) timestamps.push(readTimestamp(items.vector()));
  return timestamps;
}

/** What a log signs: the promise, and the certificate without the promises (`precert_entry`). */
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
  if (reader.byte() !== 0) throw new DerError("UNSUPPORTED", "an SCT is not of version 1");
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

/** TLS's presentation language, as far as SCTs need it. */
class TlsReader {
  private offset = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.offset === this.bytes.byteLength;
  }

  take(count: number): Buffer {
    const end = this.offset + count;
    if (end > this.bytes.byteLength) throw new DerError("TRUNCATED", "an SCT ends too early");
    const taken = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return taken;
  }

  byte(): number {
    return this.take(1).readUInt8();
  }

  vector(): Buffer {
    return this.take(this.take(2).readUInt16BE());
  }

  end(): void {
    if (!this.isAtEnd) throw new DerError("TRAILING_BYTES", "bytes are left over behind an SCT");
  }
}
