import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A self-signed certificate and its key. */
export interface Certificate {
  readonly der: Buffer;
  readonly pem: string;
  readonly keyPem: string;
}

const minuteMs = 60_000;
const validityMs = 3650 * 24 * 60 * minuteMs;

/**
 * Creates a self-signed P-256 certificate for `localhost`, valid for both ends of a TLS connection, for ten years.
 *
 * Encodes the DER itself: libraries for it take longer to load than the rest of the start-up.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5280} X.509 certificates
 */
export function createCertificate(): Certificate {
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuedMs = Date.now();
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(randomSerial()),
    ecdsaWithSha256,
    subject,
    sequence(time(issuedMs - minuteMs), time(issuedMs + validityMs)),
    subject,
    publicKeyInfo(key),
    tagged(0xa3, extensions()),
  );
  const der = sequence(body, ecdsaWithSha256, bitString(0, sign("sha256", body, key)));
  return {
    der,
    pem: toPem("CERTIFICATE", der),
    keyPem: toPem("PRIVATE KEY", key.export({ type: "pkcs8", format: "der" })),
  };
}

/** Encodes DER as PEM (RFC 7468). */
export function toPem(label: string, der: Buffer): string {
  // {1,64} and not {64}: the last line may be shorter, and empty lines are not allowed.
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** Returns the first certificate in PEM as DER; undefined when it contains no certificate. */
export function fromPem(pem: string): Buffer | undefined {
  const match = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem);
  const der = Buffer.from(match?.[1] ?? "", "base64");
  return der.byteLength === 0 ? undefined : der;
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(content.byteLength)]), content]);
}

function lengthOctets(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function bitString(unusedBits: number, bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.of(unusedBits), bytes);
}

function extension(idHex: string, critical: boolean, value: Buffer): Buffer {
  const flag = critical ? [tagged(0x01, Buffer.of(0xff))] : [];
  return sequence(objectId(idHex), ...flag, tagged(0x04, value));
}

/**
 * Encodes the key as SubjectPublicKeyInfo (RFC 5480). Exporting it with Node.js takes longer than exporting
 * its coordinates.
 */
function publicKeyInfo(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = [x, y].map((coordinate) => Buffer.from(coordinate, "base64url"));
  return sequence(
    sequence(objectId("2a8648ce3d0201"), objectId("2a8648ce3d030107")), // ecPublicKey, P-256
    bitString(0, Buffer.concat([Buffer.of(0x04), ...point])),
  );
}

function extensions(): Buffer {
  const digitalSignature = 0x80;
  const keyEncipherment = 0x20;
  const keyAgreement = 0x08;
  const certSign = 0x04;
  const usage = digitalSignature | keyEncipherment | keyAgreement | certSign;
  const serverAuth = objectId("2b06010505070301");
  const clientAuth = objectId("2b06010505070302");
  return sequence(
    extension("551d13", true, sequence(tagged(0x01, Buffer.of(0xff)))), // basicConstraints: CA
    extension("551d0f", true, bitString(2, Buffer.of(usage))),
    extension("551d25", false, sequence(serverAuth, clientAuth)),
    extension("551d11", false, sequence(tagged(0x82, Buffer.from("localhost")))),
  );
}

/** Returns a serial number that is positive and has no leading zero octet, as DER requires. */
function randomSerial(): Buffer {
  const serial = randomBytes(16);
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0);
  return serial;
}

/** Encodes a time as UTCTime up to 2049, and as GeneralizedTime from 2050 (RFC 5280, section 4.1.2.5). */
function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replace(/[-:T]|\..*$/g, "")}Z`;
  const short = digits < "2050";
  return tagged(short ? 0x17 : 0x18, Buffer.from(short ? digits.slice(2) : digits));
}

const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"));
const subject = sequence(
  tagged(0x31, sequence(objectId("550403"), tagged(0x0c, Buffer.from("localhost")))),
);
