import { constants, createECDH, ECDH, publicDecrypt, type KeyObject } from "node:crypto";
import { DerElement, isDerError } from "../../../core/signing/sigstore/der/der-element";
import { readInteger } from "../../../core/signing/sigstore/der/read-value";

/** Curves over the integers modulo p, with n points. @see https://doi.org/10.6028/NIST.SP.800-186 */
const curves: Readonly<Record<string, { readonly p: bigint; readonly n: bigint } | undefined>> = {
  prime256v1: {
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  },
  secp384r1: {
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    n: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  },
  secp521r1: {
    p: 2n ** 521n - 1n,
    n: 0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  },
};

/**
 * Verifies a signature over data of which only the SHA-256 digest is known: a hashedrekord entry does not contain the
 * data, and node:crypto always hashes the input of ECDSA. Supports ECDSA, and RSA with PKCS #1 version 1.5. Its time
 * is not constant, which verification does not need.
 */
export function verifyDigest(digest: Buffer, signature: Buffer, key: KeyObject): boolean {
  if (key.asymmetricKeyType === "rsa") return verifyRsa(digest, signature, key);
  const name = key.asymmetricKeyDetails?.namedCurve ?? "";
  const curve = curves[name];
  if (curve === undefined) return false;
  const { p, n } = curve;
  const [r = 0n, s = 0n] = readSignature(signature) ?? [];
  if (r <= 0n || r >= n || s <= 0n || s >= n) return false;
  const inverse = invert(s, n);
  const first = mod(toBigInt(digest) * inverse, n);
  if (first === 0n) return false;
  const one = multiple(name, first);
  const other = multiple(name, mod(r * inverse, n), key);
  if (one.x === other.x) return false;
  // The sign of the second point is not known. Only the owner of the key can sign for the opposite key, too.
  return [other.y, -other.y].some((y) => {
    const slope = mod((y - one.y) * invert(other.x - one.x, p), p);
    return mod(mod(slope * slope - one.x - other.x, p), n) === r;
  });
}

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

/** Multiplies the generator of a curve, or a public key: node:crypto then returns only the x coordinate. */
function multiple(curve: string, factor: bigint, key?: KeyObject): Point {
  const ecdh = createECDH(curve);
  ecdh.setPrivateKey(evenHex(factor), "hex");
  if (key === undefined) return pointOf(ecdh.getPublicKey());
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const [left, right] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  const shared = ecdh.computeSecret(Buffer.concat([Buffer.of(4), left, right]));
  const compressed = Buffer.concat([Buffer.of(2), shared]);
  const point = ECDH.convertKey(compressed, curve, undefined, undefined, "uncompressed");
  return pointOf(Buffer.from(point));
}

const evenHex = (value: bigint): string => {
  const hex = value.toString(16);
  return hex.padStart(hex.length + (hex.length % 2), "0");
};

/** Reads an uncompressed point: both coordinates follow a byte. */
function pointOf(bytes: Buffer): Point {
  const middle = 1 + (bytes.byteLength - 1) / 2;
  return { x: toBigInt(bytes.subarray(1, middle)), y: toBigInt(bytes.subarray(middle)) };
}

// DigestInfo of SHA-256 up to the digest (RFC 8017, 9.2).
const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex");

function verifyRsa(digest: Buffer, signature: Buffer, key: KeyObject): boolean {
  try {
    const found = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    return found.equals(Buffer.concat([digestInfo, digest]));
  } catch {
    return false;
  }
}

function readSignature(signature: Buffer): readonly bigint[] | undefined {
  try {
    const parts = DerElement.read(signature).sequence().map(readInteger);
    return parts.length === 2 ? parts : undefined;
  } catch (failure) {
    if (isDerError(failure)) return undefined;
    throw failure;
  }
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** Extended Euclid. */
function invert(value: bigint, modulus: bigint): bigint {
  let [low, high] = [mod(value, modulus), modulus];
  let [x, y] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [high, low] = [low, high - quotient * low];
    [y, x] = [x, y - quotient * x];
  }
  return mod(x, modulus);
}

function toBigInt(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}
